// Which noise to add, and what every adversary gets: dpchoose.recommend in plain JavaScript.
//
// Classic scripts, so that the book works from `file://`. Each file is one function of the shared object
// `dpchoose`: loaded as a `<script>` it adds its names to the global of that name, under node
// `require("./index.js")` gives the object, and `dpchoose.workerSource()` is the text of all of them, out of
// which the page makes a Blob worker (a worker cannot be loaded from a file).
//
// Load them in the order of index.js, which is for node alone: exact, text, codes, decay, sweep, inverse, risk, worlds,
// counting, listing, sensitivity, shells, records, curves, setting, groups, sentences, describe, recommend, read,
// columns, worker.
//
// Names are those of the package in camelCase, noise scales of all records but one are within 1e-6 of its own,
// on the safe side; `tests/book/test_maths_js.py` compares them, `tests/js/` holds what concerns JavaScript alone. Numbers that
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
//       table: [{ statistic: "mean:visits", sensitivity, epsilon, noiseScale, halfWidth, relativeHalfWidth, mean }],
//       epsilon,                 // of all rows together
//       risks: { world, torn, notKnowingN, knowingN, present, absent, average },
//       bounds: { tight, shell, upper, average, anyMechanism, present, absent },   // epsilons
//       status: "ok",            // or "exact", "nothing left", "cannot be met"
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
//     // done: { records, releaseSize, dropped, labels: ["mean:visits", ...], groups: 3, warnings: ["column ..."] }
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
  const CONFIDENT = Math.log(20); // times the scale: Laplace noise is smaller with 95% probability
  const NOTHING_LEFT = 1e-3, ROUNDING = 1e-12, MOST_LOST = 2 ** -20; // of the risk: what is left below it would buy no answer
  const SECRETS = { world: "the largest prior", present: "the prior that a record is in", absent: "the prior that a record is out" };

  // The next float above.
  function above(value) {
    const step = dp.spacing(value);
    return value < Infinity ? value + step : value;
  }

  const scalesOf = (rates) => rates.map((rate) => (rate === Infinity || rate === 0 ? 1 / rate : above(1 / rate)));

  // A ray's noise so far along, or that of given rates: rates, epsilons, scales rounded up.
  const along = (ray, distance) => ({ rates: ray.rates(distance), epsilons: ray.epsilons(distance), scales: scalesOf(ray.rates(distance)) });

  const curveOf = (setting, secret, risk, ray) => (secret === "world" ? setting.worldCurve(ray, risk) : setting.recordCurve(ray, secret, risk));

  function forRisk(setting, risk, secret, weights) {
    let ray = setting.ray(weights);
    if (!weights) ray = dp.bestRay(ray, sizesOf(setting), (aimed) => curveOf(setting, secret, risk, aimed), risk);
    const curve = curveOf(setting, secret, risk, ray), fresh = setting.fresh;
    const left = fresh.every(Boolean) ? Infinity : leftOf(curve, risk);
    let distance = left > NOTHING_LEFT ? dp.largestRate(curve, risk) : 0;
    if (left >= 0 && left <= NOTHING_LEFT && !setting.spread.some((one, q) => fresh[q] && one !== 0)) distance = Infinity;
    if (distance === Infinity) setting.refuseUntold(risk, secret);
    const found = dp.describe(setting, along(ray, distance), secret, risk);
    if (distance) return { ...found, bounds: boundsOf(setting, ray, risk, secret) };
    if (left >= 0 && left <= NOTHING_LEFT) {
      const reason = `what is out already leaves under a thousandth of the risk of ${dp.show(risk)}`;
      return { ...found, status: "nothing left", reason };
    }
    const reason = left < 0
      ? `what is out already exceeds the risk of ${dp.show(risk)}`
      : `risk must exceed ${dp.show(curve.prior)}, ${SECRETS[secret]}, for any positive epsilon to meet it, got ${dp.show(risk)}`;
    const none = { epsilon: NaN, noiseScale: NaN, halfWidth: NaN, relativeHalfWidth: NaN };
    return { ...found, status: "cannot be met", reason, epsilon: NaN, table: found.table.map((row) => ({ ...row, ...none })) };
  }

  // To what half-widths are relative: the mean answer, or the spread where that is 0.
  const sizesOf = (setting) => setting.spread.map((spread, q) => (spread > 0 ? Math.abs(setting.means[q]) || spread : 0));

  // How much of the risk is left by what is out, relative; below 0 where it is exceeded.
  function leftOf(curve, risk) {
    const goal = dp.log(risk), seen = curve.look(0, goal), left = goal - seen.logRisk;
    return Math.abs(left) <= ROUNDING + Math.min(seen.logError, MOST_LOST) ? Math.max(left, 0) : left;
  }

  // The epsilon of the new answers by each bound; NaN where unknown or not to be met.
  function boundsOf(setting, ray, risk, secret) {
    const known = setting.bounds(ray, risk), found = {};
    if (secret !== "world") known[secret] = curveOf(setting, secret, risk, ray);
    for (const [name, curve] of Object.entries(known)) {
      const distance = curve ? dp.largestRate(curve, risk) : 0;
      found[name] = distance ? setting.total(ray.epsilons(distance).filter((_, q) => setting.fresh[q])) : NaN;
    }
    return { ...found, anyMechanism: setting.anyMechanism(risk) };
  }

  // One number for all of several answers, or one for each.
  function stated(name, values, several) {
    const list = typeof values === "number" ? [values] : Array.from(values);
    if (list.length !== 1 && list.length !== several) throw new Error(`${name} must have shape (${several},), got (${list.length},)`);
    for (const value of list) {
      const good = name === "scale" ? value >= 0 && value < Infinity : value > 0;
      if (!good) throw new Error(`${name} must lie in ${name === "scale" ? "[0, inf)" : "(0, inf]"}, got ${dp.written(value)}`);
    }
    return Array.from({ length: several }, (_, q) => list[list.length === 1 ? 0 : q]);
  }

  function asStated(setting, secret, weights, epsilon, scale) {
    const fresh = setting.fresh, places = [...fresh.keys()].filter((q) => fresh[q]), deltas = places.map((q) => setting.sensitivities[q]);
    if (!weights) throw new Error("split must be equal or weights where no risk is given, got 'best'");
    let rates;
    if (scale !== undefined) {
      rates = stated("scale", scale, places.length).map((one) => 1 / one);
    } else {
      let epsilons = stated("epsilon", epsilon, places.length);
      if (typeof epsilon === "number") {
        const ones = setting.ray(weights).epsilons(1), fine = places.map((q) => ones[q]);
        const whole = setting.total(fine) || 1;
        epsilons = epsilons.map((one, i) => (one * fine[i]) / whole);
      }
      rates = epsilons.map((one, i) => (deltas[i] === 0 ? Infinity : one / deltas[i]));
    }
    const every = setting.scales.map((one) => 1 / one);
    places.forEach((q, i) => { every[q] = rates[i]; });
    const epsilons = every.map((rate, q) => (setting.sensitivities[q] === 0 ? 0 : rate * setting.sensitivities[q]));
    return { ...dp.describe(setting, { rates: every, epsilons, scales: scalesOf(every) }, secret, null), bounds: {} };
  }

  function weightsOf(split, several) {
    if (split === "equal") return Array(several).fill(1);
    if (split === "best") {
      if (several > 4) throw new Error(`split best must have at most 4 answers, got ${several}`);
      return null;
    }
    if (typeof split === "string") throw new Error(`split must be one of 'equal', 'best', got ${dp.short(split)}`);
    if (split.length !== several) throw new Error(`split must have shape (${several},), got (${split.length},)`);
    if (split.some((one) => !(one >= 0)) || !split.some((one) => one > 0)) {
      throw new Error(`split must be at least 0, and not all 0, got [${split.map(dp.written).join(", ")}]`);
    }
    return Array.from(split);
  }

  // The recommendation as it is shown: epsilons rounded down, scales and half-widths up, chances up.
  function shownOf(found) {
    const up = (value) => (Number.isNaN(value) ? "" : dp.roundUp(value));
    const down = (value) => (Number.isNaN(value) ? "" : dp.roundDown(value));
    const map = (object, show) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, show(value)]));
    return {
      epsilon: down(found.epsilon),
      table: found.table.map((row) => ({
        statistic: row.statistic, sensitivity: up(row.sensitivity), epsilon: down(row.epsilon), noiseScale: up(row.noiseScale),
        halfWidth: up(row.halfWidth),
        relativeHalfWidth: Number.isNaN(row.relativeHalfWidth) ? "" : `${dp.roundUp(100 * row.relativeHalfWidth, 2)}%`,
      })),
      risks: map(found.risks, (risk) => (Number.isNaN(risk) ? "not known" : dp.chance(risk))),
      bounds: map(found.bounds, down),
    };
  }

  function recommendOf(setting, { risk, epsilon, scale, secret = "world", split = "equal" }) {
    const named = Object.entries({ risk, epsilon, scale }).filter(([, value]) => value !== undefined && value !== null).map(([name]) => name);
    if (named.length !== 1) throw new Error(`exactly one of risk, epsilon and scale must be given, got ${named.join(" and ") || "none"}`);
    if (!SECRETS[secret]) throw new Error(`secret must be one of 'world', 'present', 'absent', got ${dp.short(String(secret))}`);
    const groups = setting.names ? setting.names.length : 1;
    const weights = weightsOf(split, setting.fresh.filter(Boolean).length / groups);
    const found = named[0] === "risk" ? forRisk(setting, dp.parseRisk(risk), secret, weights)
      : asStated(setting, secret, weights, epsilon ?? undefined, scale ?? undefined);
    found.sentences = dp.sentences(found);
    found.shown = shownOf(found);
    return found;
  }

  dp.Setting.prototype.recommend = function recommend(how) {
    return recommendOf(this, how);
  };

  // The risks of every adversary at these scales, one for each new answer: a point of a curve.
  dp.Setting.prototype.riskAt = function riskAt(scales) {
    let next = 0;
    return dp.adversariesAt(this, this.scales.map((one) => 1 / (Number.isNaN(one) ? scales[next++] : one))).risks;
  };

  const recommend = ({ risk, epsilon, scale, secret, split, ...about }) => recommendOf(dp.prepare(about), { risk, epsilon, scale, secret, split });

  return { above, recommend };
});
