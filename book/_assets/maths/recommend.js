// Which noise to add, and what every adversary gets: dpchoose.recommend in plain JavaScript.
//
// Classic scripts, so that the book works from `file://`. Each file is one function of the shared object
// `dpchoose`: loaded as a `<script>` it adds its names to the global of that name, under node
// `require("./index.js")` gives the object, and `dpchoose.workerSource()` is the text of all of them, out of
// which the page makes a Blob worker (a worker cannot be loaded from a file).
//
// Load them in this order: `text.js`, `exact.js`, `decay.js`, `risk.js`, `inverse.js`, `worlds.js`, `counting.js`,
// `listing.js`, `sensitivity.js`, `shells.js`, `records.js`, `groups.js`, `setting.js`, `sentences.js`,
// `recommend.js`, `read.js`, `columns.js`, `worker.js`. `index.js` is for node alone.
//
// Names are those of the package in camelCase, numbers are within 1e-9 of its own and on the same safe side;
// `tests/book/test_maths_js.py` compares them, `tests/js/` holds what concerns JavaScript alone. Numbers that
// are not known are `NaN`, a scale or an epsilon without bound is `Infinity`.
//
// In the page
//
//     const dp = window.dpchoose;
//     const setting = dp.prepare({
//       statistics: [{ query: "mean", column: "visits", values: Float64Array }, { query: "count" }],
//       records: 5048,           // N; only needed when nothing but "count" is asked
//       releaseSize: null,       // n; null: all but one
//       adjacency: "unbounded",  // or "bounded"
//       by: null,                // or labels by position, shape (N,)
//       already: [],             // or [{ query, column, values, scale }]
//     });
//     const found = setting.recommend({ risk: "1/3", secret: "world", split: "equal" });
//     // instead of a risk: { epsilon: 1 } or { scale: 0.01 }, a number or one for each statistic
//     found = {
//       table: [{ statistic: "mean:visits", sensitivity, epsilon, noiseScale, halfWidth, relativeHalfWidth }],
//       epsilon,                 // of all rows together
//       risks: { world, torn, notKnowingN, knowingN, present, absent, average },
//       bounds: { tight, shell, upper, average, anyMechanism, present, absent },   // epsilons
//       status: "ok",            // or "any epsilon", "exposed", "not shown safe", "nothing left", "cannot be met"
//       reason: "",
//       sentences: ["The answer is computed on ..."],
//       shown: { epsilon: "0.4317", table: [{ epsilon: "0.4317", noiseScale: "6.5630", halfWidth: "..." }] },
//       facts: { records, releaseSize, worlds: "4", adjacency, secret, risk, published, total, worldExact, recordExact },
//     }
//     dp.recommend({ ...both of these arguments in one object })    // once, when nothing is dragged
//     setting.riskAt([scale, ...])      // the risks of every adversary at these scales, for a curve
//     // Errors are Errors whose message is the sentence to show.
//
// The worker
//
//     const worker = new Worker(URL.createObjectURL(new Blob([dp.workerSource()])));
//     worker.postMessage({ id: 1, do: "read", file, how: { delimiter, decimal, thousands, encoding, missing } });
//     // { id: 1, progress: 0.4 } ... then { id: 1, done: table } or { id: 1, error: "sentence" }
//     // how: {} for a file that leaves no doubt. A sentence that needs a choice has it beside it:
//     //   { id: 1, error: "...", asks: { name: "delimiter", choices: [",", ";"] } } or "decimal", "thousands", "encoding"
//     // table: { rows, delimiter, columns: [{ name, kind: "number" | "truth" | "text" | "empty", missing, distinct,
//     //          error: "" | "column a must hold finite numbers, got 'x' in row 3" }] }
//     worker.postMessage({ id: 2, do: "prepare", ask: {
//       asked: [["mean", "visits"], ["count"]], by: "ward", released: "in", person: "id", dropMissing: false,
//       releaseSize: null, adjacency: "unbounded", already: [["mean", "visits", 0.0033]] } });
//     // done: { records, releaseSize, dropped, labels: ["mean:visits", ...], groups: 3 }
//     worker.postMessage({ id: 3, do: "recommend", risk: "0.01", secret: "world", split: "equal" });
//     // done: what is written above, with { progress } before it where it takes long
//     worker.postMessage({ id: 4, do: "curve", scales: [[...], ...] });
//     // done: [{ world, torn, ... }, ...]: the risks at each row of scales
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  return {};
});
