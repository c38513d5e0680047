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

test("of risks that are dragged only the last is computed, and the last good file stays", async () => {
  const good = fileOf("a,ward\n1,n\n2,s\n3,n\n10,s\n5,n\n6,s\n7,n\n");
  const found = await served(
    { id: 1, do: "read", file: good }, { id: 2, do: "read", file: fileOf("a,b\n1\n") },
    { id: 3, do: "prepare", ask: { asked: [["mean", "a"], ["count"]], by: "ward" } },
    { id: 4, do: "recommend", risk: "0.3" }, { id: 5, do: "recommend", risk: "0.4" },
  );
  assert.match(found[1].error, /must have 2 fields in every row/);
  assert.deepStrictEqual(found.map(({ superseded = false }) => superseded), [false, false, false, true, false]);
  assert.strictEqual(found[2].done.releaseSize, 6);
  assert.strictEqual(found[4].done.status, "ok");
});

test("the text of the worker has all that it needs", () => {
  const self = {};
  const parts = require("node:vm").runInNewContext(`${dp.workerSource()}\ndpchoose.parts.length`, { self });
  assert.strictEqual(typeof self.onmessage, "function");
  assert.strictEqual(parts, dp.parts.length);
});
