// Answers many questions in one process: a list of { columns, question } in, a list of { done } or { error } out, as JSON.
"use strict";
const dp = require("../../book/_assets/maths/index.js");

// JSON has no infinity, and no whole numbers of any size.
const written = (_, value) => (typeof value === "bigint" ? String(value) : typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

async function answered({ csv, how = {}, question }) {
  try {
    const source = new dp.Source(await dp.readTable(new File([Buffer.from(csv, "base64")], "data.csv"), how));
    source.told();
    const done = source.ask(question);
    const shown = {
      answers: done.answers.map((one) => [dp.roundUp(one.scale), dp.roundUp(one.error)]),
      readers: done.readers.map((one) => [dp.before(one.before), dp.chance(one.after), dp.factor(one.factor)]),
    };
    return { done: { ...done, shown } };
  } catch (error) {
    if (!(error instanceof dp.Refusal)) throw error;
    return { error: error.message };
  }
}

Promise.all(JSON.parse(require("fs").readFileSync(0, "utf8")).map(answered)).then((found) => process.stdout.write(JSON.stringify(found, written)));
