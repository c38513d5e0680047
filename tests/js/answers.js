// Answers many questions in one process, as JSON: a list of { csv, how, question } in, a list of
// { done } or { error } out.
"use strict";
require("./maths.js");
const dp = globalThis.dpchoose;

// JSON has no infinity, and no whole numbers of any size.
const written = (_, value) =>
  typeof value === "bigint"
    ? String(value)
    : typeof value === "number" && !Number.isFinite(value)
      ? String(value)
      : value;

async function answered({ csv, how = {}, question }) {
  try {
    const file = new File([Buffer.from(csv, "base64")], "data.csv");
    const source = new dp.Source(await dp.readTable(file, how, undefined, question.person));
    return { done: source.ask(question) };
  } catch (error) {
    if (!(error instanceof dp.Refusal)) throw error;
    return { error: error.message, choices: error.choices };
  }
}

if (require.main === module)
  Promise.all(JSON.parse(require("fs").readFileSync(0, "utf8")).map(answered)).then((answers) =>
    process.stdout.write(JSON.stringify(answers, written)),
  );
