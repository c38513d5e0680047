// A recommendation put together: noise, readers, status, reason; and the split of a risk that costs least.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const MOST_UNEVEN = 1e6; // ratio of two weights that the search of a split looks at

  // What every adversary gets at rates of shape (d,).
  function adversariesAt(setting, rates) {
    const { table, records, releaseSize } = setting;
    let [present, absent] = ["present", "absent"].map((secret) => {
      const fade = Math.exp(-table.look(rates, secret).logOdds);
      return Math.min((1 + 8 * dp.UNIT) / (1 + fade), 1);
    });
    const world = setting.worldRisk(rates);
    if (table.exact && releaseSize === records - 1) absent = world; // each record is missing from one world
    if (table.exact && releaseSize === 1) present = world; // or is there in one
    return {
      risks: {
        world, torn: dp.torn(setting.farthest(rates)), notKnowingN: dp.torn(setting.unboundedTotal(rates)),
        knowingN: dp.torn(setting.step(rates)), present, absent, average: setting.average(rates),
      },
      recordExact: table.exact,
    };
  }

  // What noise costs and what every adversary gets: all but bounds, sentences and what is shown.
  function describe(setting, noise, secret, risk) {
    const { fresh, labels, means, sensitivities } = setting, table = [], published = [];
    labels.forEach((statistic, q) => {
      if (!fresh[q]) return void published.push([statistic, setting.scales[q]]);
      const noiseScale = noise.scales[q];
      const halfWidth = noiseScale === 0 ? 0 : dp.above(noiseScale * Math.log(20));
      const relativeHalfWidth = means[q] === 0 ? NaN : halfWidth / Math.abs(means[q]);
      table.push({
        statistic, sensitivity: sensitivities[q], epsilon: noise.epsilons[q], noiseScale, halfWidth, relativeHalfWidth, mean: means[q],
      });
    });
    const seen = adversariesAt(setting, noise.rates);
    const total = setting.total(noise.epsilons), epsilon = setting.total(noise.epsilons.filter((_, q) => fresh[q]));
    const facts = {
      records: setting.records, releaseSize: setting.releaseSize, worlds: setting.amount, adjacency: setting.adjacency,
      secret, risk: risk && dp.quotient(risk.n, risk.d), published, total, worldExact: Boolean(setting.worlds),
      recordExact: seen.recordExact,
    };
    return { table, epsilon, risks: seen.risks, bounds: {}, ...statusOf(setting, noise, seen), facts };
  }

  function statusOf(setting, noise, { risks }) {
    if (setting.fresh.every((fresh, q) => !fresh || noise.rates[q] === Infinity)) {
      const exact = setting.labels.length === 1 ? "answer keeps" : "answers keep";
      const reason = `even the exact ${exact} the risk of a world, all equally likely, at ${dp.chance(risks.world)}`;
      return { status: "exact", reason };
    }
    return { status: "ok", reason: "" };
  }

  // The ray with the least sum of relative half-widths that a search finds: from equal epsilons and from equal relative
  // half-widths, one weight at a time is multiplied or divided by 4, 2, 1.4, ... as long as that helps.
  function bestRay(ray, sizes, curveOf, risk) {
    const free = [...sizes.keys()].filter((q) => ray.direction[q] > 0 && sizes[q] > 0);
    const cost = (weights) => {
      const aimed = ray.towards(weights), along = dp.largestRate(curveOf(aimed), risk);
      if (along === 0 || along === Infinity) return Infinity;
      const rates = aimed.rates(along);
      return free.reduce((sum, q) => sum + 1 / (rates[q] * sizes[q]), 0);
    };
    const even = sizes.map(() => 1), alike = sizes.map((size, q) => (free.includes(q) ? ray.sensitivities[q] / size : 1));
    let found = even, least = Infinity;
    for (let weights of [even, alike]) {
      let now = cost(weights);
      for (let factor = 4; factor > 1.05;) {
        const trials = free.slice(1).flatMap((q) => [factor, 1 / factor]
          .filter((change) => weights[q] * change >= 1 / MOST_UNEVEN && weights[q] * change <= MOST_UNEVEN)
          .map((change) => weights.map((one, k) => (k === q ? one * change : one))));
        const costs = trials.map(cost), at = costs.indexOf(Math.min(...costs));
        if (costs[at] < now) [weights, now] = [trials[at], costs[at]];
        else factor = Math.sqrt(factor);
      }
      if (now < least) [found, least] = [weights, now];
    }
    return ray.towards(found);
  }

  return { adversariesAt, describe, bestRay };
});
