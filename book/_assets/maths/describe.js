// A recommendation put together: noise, adversaries, status, reason; and the split of a risk that costs least.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const EXPOSED = 0.99; // a posterior of a record beyond which it is given away ...
  const UNEXPOSED = 0.9; // ... by these answers, if it was less likely than this before
  const NAMED = 5; // exposed records that are named
  const MOST_UNEVEN = 1e6; // ratio of two weights that the search of a split looks at

  // What every adversary gets at rates of shape (d,).
  function adversariesAt(setting, rates) {
    const { table, records, releaseSize } = setting, share = releaseSize / records;
    let [present, absent] = ["present", "absent"].map((secret) => {
      const fade = Math.exp(-table.look(rates, secret).logOdds);
      return Math.min((1 + 8 * dp.UNIT) / (1 + fade), 1);
    });
    const toldIn = present > EXPOSED && share < UNEXPOSED, toldOut = absent > EXPOSED && 1 - share < UNEXPOSED;
    const exposed = [];
    if (table.exact && (toldIn || toldOut)) {
      const found = table.posteriors(rates);
      for (let record = 0; record < records; record++) {
        if ((toldIn && found.present[record] > EXPOSED) || (toldOut && found.absent[record] > EXPOSED)) {
          exposed.push({ record, present: found.present[record], absent: found.absent[record] });
        }
      }
    }
    const world = setting.worldRisk(rates);
    if (table.exact && releaseSize === records - 1) absent = world; // each record is missing from one world
    if (table.exact && releaseSize === 1) present = world; // or is there in one
    return {
      risks: {
        world, torn: dp.torn(setting.farthest(rates)), notKnowingN: dp.torn(setting.unboundedTotal(rates)),
        knowingN: dp.torn(setting.step(rates)), present, absent, average: setting.average(rates),
      },
      recordExact: table.exact, exposed,
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
    return { table, epsilon, risks: seen.risks, bounds: {}, ...statusOf(setting, noise, seen, risk), facts };
  }

  function statusOf(setting, noise, seen, risk) {
    const share = setting.releaseSize / setting.records, { risks } = seen;
    const beyond = (risks.present > EXPOSED && share < UNEXPOSED) || (risks.absent > EXPOSED && 1 - share < UNEXPOSED);
    if (beyond && !seen.recordExact) {
      const reason = `what is learnt of one record is known by its bound alone, which reaches ${dp.chance(risks.present)} ` +
        `that it is in and ${dp.chance(risks.absent)} that it is out`;
      return { status: "not shown safe", reason: `${reason}; ${instead(setting, seen, risk)}` };
    }
    if (beyond) return { status: "exposed", reason: `${who(seen)}; ${instead(setting, seen, risk)}` };
    if (setting.fresh.every((fresh, q) => !fresh || noise.rates[q] === Infinity)) {
      const exact = setting.labels.length === 1 ? "answer keeps" : "answers keep";
      const reason = `even the exact ${exact} the risk of a world, all equally likely, at ${dp.chance(risks.world)}`;
      return { status: "any epsilon", reason };
    }
    return { status: "ok", reason: "" };
  }

  // The records that are given away, counted from 1, and how surely.
  function who({ exposed }) {
    const named = exposed.slice(0, NAMED).map(({ record, present, absent }) =>
      `record ${dp.grouped(record + 1)} (in ${dp.chance(present)}, out ${dp.chance(absent)})`);
    if (exposed.length > NAMED) named.push(`${dp.grouped(exposed.length - NAMED)} more`);
    return `it can be told whether these are in or out, counted from 1: ${named.join(", ")}`;
  }

  // What it takes to keep that record secret.
  function instead(setting, { risks }, risk) {
    const n = BigInt(setting.releaseSize), all = BigInt(setting.records), inside = dp.fraction(n, all), outside = dp.fraction(all - n, all);
    const toldIn = risks.present > EXPOSED && setting.releaseSize / setting.records < UNEXPOSED;
    const toldOut = risks.absent > EXPOSED && 1 - setting.releaseSize / setting.records < UNEXPOSED;
    const [secret, prior] = toldIn ? ["present", inside] : ["absent", outside];
    const asked = `who is ${toldIn ? "in" : "out"} (secret='${secret}')`;
    if (!risk || dp.compare(risk, dp.asFraction(EXPOSED)) > 0) {
      const both = toldIn && toldOut ? " and as much for who is out (secret='absent'), the larger noise of the two," : "";
      return `a risk of at most ${EXPOSED} for ${asked}${both} prevents it`;
    }
    if (dp.compare(risk, prior) <= 0) return `${asked} can be kept secret at a risk above ${dp.show(prior)}`;
    const ray = setting.ray([1]), along = dp.largestRate(setting.recordCurve(ray, secret, risk), risk);
    if (!along) return "what is out already tells it, and no noise on further answers takes that back";
    const epsilon = setting.total(ray.epsilons(along).filter((_, q) => setting.fresh[q]));
    return `the same risk for ${asked} takes epsilon ${dp.roundDown(epsilon)}`;
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
