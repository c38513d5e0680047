// The bound on the risk that lists no worlds: around any world lie shells of others, k records away.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const MOST_DIGITS = 300; // of a number of worlds that is counted

  // The decimal logarithm of the number of worlds C(N, n).
  const log10Count = (records, size) =>
    (dp.logFactorial(records) - dp.logFactorial(size) - dp.logFactorial(records - size)) / Math.LN10;

  // The number of worlds as it is read, however large.
  function amountOfWorlds(records, size) {
    const digits = log10Count(records, size);
    if (digits >= MOST_DIGITS) return `about 1e${Math.floor(digits)}`;
    const count = dp.binomial(records, size);
    return count < 10n ** 15n ? dp.grouped(count) : `about 1e${String(count).length - 1}`;
  }

  // The prior of every world; 0 where there are more than 1e300.
  function priorOf(records, size) {
    if (log10Count(records, size) > MOST_DIGITS) return { n: 0n, d: 1n };
    return { n: 1n, d: dp.binomial(records, size) };
  }

  // ln C(size, k) for k = 0, ..., most, and by how much it may be off.
  function logChoose(size, most) {
    const found = new Float64Array(most + 1);
    let head = 0, tail = 0, sizes = 0;
    for (let k = 0; k < most; k++) {
      const term = Math.log((size - k) / (k + 1)), next = head + term;
      tail += dp.rest(head, term, next);
      head = next;
      sizes += Math.abs(term);
      found[k + 1] = head + tail;
    }
    return { found, error: 4 * dp.UNIT * (most + sizes) };
  }

  // Logarithms of the numbers of worlds k changes away, and how far they may be off.
  function logSizes(size, records) {
    const most = Math.min(size, records - size), inside = logChoose(size, most), outside = logChoose(records - size, most);
    const logs = inside.found.map((one, k) => one + outside.found[k]);
    const top = logs.reduce((a, b) => Math.max(a, b));
    return { logs, error: inside.error + outside.error + dp.spacing(top) };
  }

  // The shells of a release: distances[q][k], how far answer q is away at most in the k-th one.
  class Shells {
    constructor(distances, releaseSize, records) {
      Object.assign(this, { distances, releaseSize, records });
      const { logs, error } = logSizes(releaseSize, records);
      Object.assign(this, { logs, logError: error });
      this.spread = distances.map((one) => one[one.length - 1]);
    }

    along(rates) {
      const found = new Float64Array(this.logs.length);
      rates.forEach((rate, q) => {
        for (let k = 0; k < found.length; k++) found[k] += dp.exponent(rate, this.distances[q][k]);
      });
      return found;
    }

    // The shell bound along a ray of rates, beside distances that other answers add.
    curve(rates, beside = null) {
      const ways = this.along(rates), logs = beside ? this.logs.map((one, k) => one - beside[k]) : this.logs;
      let tied = 0;
      for (let k = 0; k < ways.length; k++) tied += ways[k] + (beside ? beside[k] : 0) === 0;
      const prior = priorOf(this.records, this.releaseSize);
      const limit = tied < ways.length ? { n: 1n, d: this.sizes(tied) } : prior;
      return new dp.Exponentials(ways, logs, prior, limit, this.logError);
    }

    // The number of worlds in the first shells, exact.
    sizes(most) {
      const n = BigInt(this.releaseSize), outside = BigInt(this.records - this.releaseSize);
      let found = 0n, size = 1n;
      for (let k = 0n; k < most; k++) {
        found += size;
        size = (size * (n - k) * (outside - k)) / ((k + 1n) * (k + 1n));
      }
      return found;
    }
  }

  return { MOST_DIGITS, log10Count, amountOfWorlds, priorOf, logSizes, Shells };
});
