// Beliefs and risks by their definitions, for worlds that are listed: what the pictures draw.
//
// `answers` holds the answer of each world, or a row of d answers; `rate` is 1/scale, or d of them. The prior is
// uniform where none is given.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const asRows = (answers) => Array.from(answers, (one) => (typeof one === "number" ? [one] : Array.from(one)));
  const asList = (value) => (typeof value === "number" ? [value] : Array.from(value));
  const uniform = (size) => new Float64Array(size).fill(1 / size);

  // What is believed of each world once an output is known.
  function posterior(answers, output, { rate, prior = null }) {
    const rows = asRows(answers), rates = asList(rate), seen = asList(output), believed = prior ?? uniform(rows.length);
    const near = seen.map((value, q) => { // beyond the answers every output says the same
      const possible = rows.filter((_, i) => believed[i] > 0).map((row) => row[q]);
      return Math.min(Math.max(value, Math.min(...possible)), Math.max(...possible));
    });
    const logs = rows.map((row, i) =>
      Math.log(believed[i]) - row.reduce((sum, one, q) => sum + dp.exponent(rates[q], Math.abs(one - near[q])), 0));
    const top = Math.max(...logs);
    const beliefs = logs.map((one) => Math.exp(one - top));
    const whole = dp.sum(beliefs)[0];
    return beliefs.map((one) => one / whole);
  }

  const disclosureRisk = (beliefs) => Math.max(...beliefs);

  // How likely each output is, for one answer: the density of the noisy answer, averaged over the worlds.
  function density(answers, output, { rate, prior = null }) {
    const believed = prior ?? uniform(answers.length);
    return answers.reduce((sum, one, i) => sum + believed[i] * Math.exp(-rate * Math.abs(output - one)), 0) * (rate / 2);
  }

  // The largest posterior of any world after any output: max_i p_i / sum_j p_j exp(-sum_q t_q |f_qi - f_qj|).
  function tightBound(answers, { rate, prior = null }) {
    const rows = asRows(answers), believed = prior ?? uniform(rows.length);
    const columns = rows[0].map((_, q) => rows.map((row) => row[q]));
    const sums = new dp.Decay(columns, believed).sums(asList(rate));
    return Math.min(1, believed.reduce((most, one, i) => Math.max(most, one / sums[i]), 0));
  }

  // Every other world as far away as the farthest: 1 / (1 + (1 - p)/p exp(-d)).
  function upperBound(answers, { rate, prior = null }) {
    const rows = asRows(answers), columns = rows[0].map((_, q) => rows.map((row) => row[q]));
    const most = prior ? Math.max(...prior) : 1 / rows.length;
    const farthest = new dp.Decay(columns, uniform(rows.length)).diameter(asList(rate));
    return 1 / (1 + ((1 - most) / most) * Math.exp(-farthest));
  }

  // The chance that the best guess is right before any output, for one answer: the area under the highest of the
  // tents p_i q(output - f_i). Those whose tip lies under another one never win.
  function averageRisk(answers, { rate, prior = null }) {
    const believed = prior ?? uniform(answers.length), highest = new Map();
    answers.forEach((one, i) => highest.set(one, Math.max(highest.get(one) ?? 0, believed[i])));
    const tents = [...highest].filter(([, peak]) => peak > 0).sort((a, b) => a[0] - b[0]);
    if (rate === 0) return Math.max(...tents.map(([, peak]) => peak));
    const wins = [];
    for (const [value, peak] of tents) {
      const height = Math.log(peak);
      const reach = (one) => dp.exponent(rate, value - one[0]);
      if (wins.length && height <= wins.at(-1)[1] - reach(wins.at(-1))) continue;
      while (wins.length && wins.at(-1)[1] <= height - reach(wins.at(-1))) wins.pop();
      wins.push([value, height]);
    }
    let risk = Math.exp(wins[0][1]);
    for (let i = 1; i < wins.length; i++) {
      const fall = (wins[i - 1][1] - wins[i][1] - dp.exponent(rate, wins[i][0] - wins[i - 1][0])) / 2;
      risk -= Math.exp(wins[i][1]) * Math.expm1(Math.min(fall, 0));
    }
    return Math.min(risk, 1);
  }

  // The likelier of two worlds at distance d, prior 1/2 each.
  const torn = (distance) => 1 / (1 + Math.exp(-distance));

  // How sure any output can make one that a record is in, and out; rounded up. `step` is the sum of rate times
  // the bounded sensitivity of each answer.
  function recordBound(step, { releaseSize, records }) {
    const fade = Math.exp(-step), outside = records - releaseSize;
    const up = 1 + 8 * dp.UNIT;
    return {
      present: Math.min(up / (1 + (outside / releaseSize) * fade), 1),
      absent: Math.min(up / (1 + (releaseSize / outside) * fade), 1),
    };
  }

  // The largest epsilon of one answer, or of d at equal epsilons, whose tight bound is at most the risk: with the
  // answers of all worlds, equally likely. Infinity where each does, 0 where none.
  function epsilonFromRisk(answers, { risk, sensitivity }) {
    const rows = asRows(answers), deltas = asList(sensitivity);
    const worlds = dp.merged(rows[0].map((_, q) => Float64Array.from(rows, (row) => row[q])), rows[0].map(() => 0));
    const ray = dp.rayOf(deltas, deltas.map(() => NaN));
    const exact = dp.parseRisk(risk);
    const along = dp.largestRate(new dp.Tight(worlds, exact, ray.base, ray.direction), exact);
    const found = along ? ray.epsilons(along) : deltas.map(() => 0);
    return typeof sensitivity === "number" ? found[0] : found;
  }

  return {
    posterior, disclosureRisk, density, tightBound, upperBound, averageRisk, torn, recordBound, epsilonFromRisk,
  };
});
