// Answers many questions in one process: a list of questions in, a list of { done } or { error } out, as JSON.
"use strict";
const dp = require("../../book/_assets/maths/index.js");

// JSON has no infinity.
const written = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value).replace("Infinity", "inf") : value);

const found = JSON.parse(require("fs").readFileSync(0, "utf8")).map((how) => {
  try {
    return { done: dp.recommend(how) };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError) throw error;
    return { error: error.message };
  }
});
process.stdout.write(JSON.stringify(found, written));
