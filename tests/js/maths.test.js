"use strict";
const test = require("node:test");
const assert = require("node:assert");
const dp = require("../../book/_assets/maths/index.js");

// A generator of numbers in [0, 1) that is the same in every run.
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const near = (one, other, relative = 1e-12) =>
  assert.ok(one === other || Math.abs(one / other - 1) < relative, `${one} is not ${other}`);

test("the sums of one, two and three chains are those over all pairs", () => {
  const next = numbers(3);
  for (let trial = 0; trial < 60; trial++) {
    const size = 1 + Math.floor(next() * 120), several = 1 + (trial % 3);
    const columns = Array.from({ length: several }, () =>
      Float64Array.from({ length: size }, () => (trial % 2 ? Math.floor(next() * 8) : next() * 5)));
    if (several > 1 && trial % 5 === 0) columns[1] = columns[0].map((value) => -(value ** 2));
    const weights = Float64Array.from({ length: size }, () => 1 + Math.floor(next() * 9));
    const rates = columns.map(() => (next() < 0.1 ? Infinity : Math.exp(next() * 12 - 6)));
    const sums = new dp.Decay(columns, weights).sums(rates);
    for (let i = 0; i < size; i++) {
      let plain = 0;
      for (let j = 0; j < size; j++) {
        const away = columns.reduce((sum, column, q) => sum + dp.exponent(rates[q], Math.abs(column[i] - column[j])), 0);
        plain += weights[j] * Math.exp(-away);
      }
      near(sums[i], plain);
    }
  }
});

test("numbers are sorted by their size and keep their order where they are equal", () => {
  const values = [3, -1, 0, -0, 1e-300, -Infinity, 3, Infinity, -2.5];
  assert.deepStrictEqual([...dp.argsort(values)], [5, 8, 1, 2, 3, 4, 0, 6, 7]);
});

test("what the pictures draw is what the school's four pupils show", () => {
  const means = [5, 14 / 3, 13 / 3, 2];
  near(dp.posterior([2, 3], 2, { rate: 1 })[0], 1 / (1 + Math.exp(-1)));
  near(dp.tightBound([2, 7 / 3, 8 / 3, 3], { rate: 0.5 / (5 / 6) }), 0.3292, 1e-4);
  near(dp.upperBound([0, 1], { rate: Math.log(3) }), 0.75);
  near(dp.averageRisk([0, 1], { rate: Infinity, prior: [0.5, 0.5] }), 1);
  near(dp.epsilonFromRisk(means, { risk: "1/3", sensitivity: 17 / 6 }), 0.43172012, 1e-8);
});

test("a fraction becomes the float nearest to it, however small", () => {
  assert.strictEqual(dp.quotient(1n, 3n), 1 / 3);
  assert.strictEqual(dp.quotient(1n, 10n ** 320n), 1e-320);
  assert.strictEqual(dp.quotient(10n ** 400n, 10n ** 399n * 3n), 10 / 3);
});

const fileOf = (...parts) => new File(parts, "data.csv");
const utf16 = (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

test("a mark of utf-16 leaves no doubt about the encoding", async () => {
  const table = await new dp.Source(fileOf(utf16("a;b\r\n1;ü\r\n2;x\r\n"))).look();
  assert.deepStrictEqual(table.columns.map(({ name, kind }) => [name, kind]), [["a", "number"], ["b", "text"]]);
  assert.strictEqual(table.encoding, "utf-16le");
});

test("two gigabytes are refused before they are read", async () => {
  const file = { name: "large.csv", size: 2 ** 31, slice: () => assert.fail("read") };
  await assert.rejects(new dp.Source(file).look(), /must be smaller than 2 GB to be read in a page, got 2.0 GB/);
});

// What a worker answers to messages that come all at once.
function served(...messages) {
  return new Promise((done) => {
    const found = [], scope = { postMessage: (message) => {
      if (message.progress === undefined) found.push(message);
      if (found.length === messages.length) done(found);
    } };
    dp.serve(scope);
    for (const data of messages) scope.onmessage({ data });
  });
}

const good = () => fileOf("a,ward,in\n1,n,1\n2,s,1\n3,n,0\n10,s,1\n5,n,1\n6,s,1\n7,n,1\n");

test("the last good file stays where another is refused", async () => {
  const [read, refused, prepared, found] = await served(
    { id: 1, do: "read", file: good() }, { id: 2, do: "read", file: fileOf("a,b\n1\n") },
    { id: 3, do: "prepare", ask: { asked: [["mean", "a"]] } }, { id: 4, do: "recommend", risk: "1/3" },
  );
  assert.strictEqual(read.done.rows, 7);
  assert.match(refused.error, /must have 2 fields in every row/);
  assert.strictEqual(prepared.done.records, 7);
  assert.strictEqual(found.done.status, "ok");
});

test("of risks that are dragged only the last is computed", async () => {
  const ask = { asked: [["mean", "a"], ["count"]], by: "ward", released: "in" };
  const found = await served(
    { id: 1, do: "read", file: good() }, { id: 2, do: "prepare", ask },
    { id: 3, do: "recommend", risk: "0.3" }, { id: 4, do: "recommend", risk: "0.4" },
  );
  assert.deepStrictEqual(found.map(({ superseded = false }) => superseded), [false, false, true, false]);
  assert.strictEqual(found[1].done.releaseSize, 6);
  assert.strictEqual(found[1].done.groups, 2);
});

test("the text of the worker has all that it needs", () => {
  const self = {};
  const parts = require("node:vm").runInNewContext(`${dp.workerSource()}\ndpchoose.parts.length`, { self });
  assert.strictEqual(typeof self.onmessage, "function");
  assert.strictEqual(parts, dp.parts.length);
});
