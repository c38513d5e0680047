// Answers many questions in one process: a list of [name, arguments] in, a list of { done } or { error } out, as JSON.
"use strict";
const dp = require("../../book/_assets/maths/index.js");

const questions = {
  recommend: (how) => dp.recommend({ ...how, ...numbers(how) }),
  call: ([name, ...values]) => dp[name](...values.map(number)),
  async file({ data, name = "data.csv", how = {}, ask = null, then = null }) {
    const source = new dp.Source(new File([Buffer.from(data, "base64")], name), how);
    if (!ask) return source.look();
    const prepared = await source.prepare(ask);
    return then ? source.setting.recommend(then) : prepared;
  },
};

// JSON has no infinity.
const number = (value) => (value === "inf" ? Infinity : value);
const numbers = ({ scale, epsilon }) => Object.fromEntries(Object.entries({ scale, epsilon })
  .filter(([, value]) => value !== undefined)
  .map(([name, value]) => [name, Array.isArray(value) ? value.map(number) : number(value)]));
const written = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value).replace("Infinity", "inf") : value);

(async () => {
  const found = [];
  for (const [name, how] of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
    try {
      found.push({ done: await questions[name](how) });
    } catch (error) {
      found.push({ error: error.message, asks: error.asks ?? null });
      if (!(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError) throw error;
    }
  }
  process.stdout.write(JSON.stringify(found, written));
})();
