// How many worlds give each answer, counted instead of listed: order statistics, and sums of decimals.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const SUM_WORK = 2 ** 37; // binary digits that the counting of sums may add up

  // The worlds of one answer, 1 <= n < N - 1; null where they must be listed, undefined where there are too many.
  function counted(query, u, size) {
    if (dp.log10Count(u.length, size) > dp.MOST_DIGITS) return undefined;
    if (query === "count") {
      return worldsOf([0], [dp.binomial(u.length, size)], 1, 0, size);
    }
    if (dp.percentileRank(query) !== null) return orderStatistics(query, u, size);
    return query === "sum" || query === "mean" ? sums(query, u, size) : null;
  }

  // Worlds of answers in any order, counted from an origin.
  function worldsOf(answers, counts, factor, off, origin) {
    const worlds = dp.merged([Float64Array.from(answers)], [factor], { offs: [off], counts });
    const [mean] = dp.sum(worlds.columns[0].map((answer, i) => dp.quotient(BigInt(worlds.counts[i]), worlds.total) * answer));
    worlds.means = [mean * factor + origin];
    worlds.rowOf = null;
    return worlds;
  }

  // C(a, rank) for so many a, from rank on.
  function binomials(rank, many) {
    const found = [];
    let value = 1n;
    for (let a = rank; a < rank + many; a++) {
      found.push(value);
      value = (value * BigInt(a + 1)) / BigInt(a + 1 - rank);
    }
    return found;
  }

  // Answers between the sorted records at ranks r and r + 1 of a world. The record at place a of the universe is at
  // rank r in C(a, r) C(N - 1 - a, n - 1 - r) worlds, and followed by that at b in C(a, r) C(N - 1 - b, n - r - 2).
  function orderStatistics(query, u, size) {
    const records = u.length, [low, after] = dp.rankOf(query, size), many = records - size + 1, origin = u[low];
    const owner = new Int32Array(records), values = [u[0]];
    for (let i = 1; i < records; i++) {
      if (u[i] !== u[i - 1]) values.push(u[i]);
      owner[i] = values.length - 1;
    }
    const lastPlace = low + many - 1, kinds = owner[after ? lastPlace + 1 : lastPlace] - owner[low] + 1;
    if ((after ? (kinds * (kinds + 1)) / 2 : kinds) > dp.MAX_WORLDS) return undefined;
    const before = binomials(low, many), rest = binomials(size - low - 1 - (after > 0), many).reverse();
    const add = (counts, kind, more) => counts.set(kind, (counts.get(kind) ?? 0n) + more);
    const lower = new Map(), upper = new Map(), same = new Map();
    if (!after) {
      for (let i = 0; i < many; i++) add(lower, owner[low + i], before[i] * rest[i]);
      return worldsOf([...lower.keys()].map((kind) => values[kind] - origin), [...lower.values()], 1, 0, origin);
    }
    let waiting = 0n, current = -1;
    for (let i = 0; i < many; i++) {
      const here = owner[low + i], next = owner[low + i + 1];
      add(lower, here, before[i]);
      add(upper, next, rest[i]);
      if (here !== current) [waiting, current] = [0n, here];
      waiting += before[i];
      if (next === current) add(same, current, waiting * rest[i]);
    }
    const answers = [], counts = [];
    for (const [first, ways] of lower) {
      const one = values[first] - origin;
      if (same.get(first)) {
        answers.push(one);
        counts.push(same.get(first));
      }
      for (const [second, others] of upper) {
        if (second <= first) continue;
        const other = values[second] - origin;
        answers.push(query === "median" ? (one + other) / 2 : one + after * (other - one));
        counts.push(ways * others);
      }
    }
    const largest = answers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const worlds = worldsOf(dp.evened(Float64Array.from(answers), 8 * dp.spacing(largest)), counts, 1, 4 * dp.UNIT * largest, origin);
    worlds.apart = { n: 1n, d: counts.reduce((a, b) => (b < a ? b : a)) }; // the risk where no two pairs of records tie
    return worlds;
  }

  // Sums of decimals, by dynamic programming over (records taken, sum): one long integer holds the numbers of worlds of
  // all sums, so many digits each, and taking a record is a shift and an addition.
  function sums(query, u, size) {
    const records = u.length, taken = Math.min(size, records - size);
    const width = Math.ceil(dp.bitLength(dp.binomial(records, taken)) / 8) * 8;
    const inner = u.reduce((count, value) => count + (value > u[0] && value < u[records - 1]), 0);
    const additions = taken * (inner + 1);
    if (additions * width > SUM_WORK) return null;
    const decimals = Array.from(u, (value) => dp.ofDecimal(String(value)));
    const unit = decimals.reduce((all, one) => (all / dp.gcd(all, one.d)) * one.d, 1n);
    const whole = decimals.map((one) => one.n * (unit / one.d)), base = whole[0];
    const common = whole.reduce((all, one) => dp.gcd(all, one - base), 0n) || 1n;
    const steps = whole.map((one) => (one - base) / common);
    // floats are not the decimals that they are read from: where a sum may differ by more than 2**-30 of a step, list them
    const missed = Array.from(u, (value, i) => {
      const exact = dp.asFraction(value), more = exact.n * decimals[i].d - decimals[i].n * exact.d;
      return dp.quotient(more < 0n ? -more : more, exact.d * decimals[i].d);
    }).sort((a, b) => b - a);
    const off = 2 * (1 + 2 ** -40) * missed.slice(0, size).reduce((sum, one) => sum + one, 0);
    if (off > dp.quotient(common, unit) / 2 ** 30) return null;
    const longest = steps.slice(records - taken).reduce((sum, step) => sum + step, 0n);
    if (Number(longest) * additions * width > SUM_WORK || longest >= BigInt(8 * dp.MAX_WORLDS)) return null;
    const packed = pack(steps, taken, BigInt(width)).toString(16), digits = width / 4;
    const answers = [], counts = [];
    for (let sum = 0, end = packed.length; end > 0; sum++, end -= digits) {
      const cell = BigInt(`0x${packed.slice(Math.max(end - digits, 0), end)}`);
      if (cell) {
        answers.push(sum);
        counts.push(cell);
      }
    }
    const factor = dp.quotient(common, unit * BigInt(query === "mean" ? size : 1));
    const start = taken === size ? BigInt(taken) * base : whole.reduce((a, b) => a + b) - BigInt(taken) * base;
    const origin = dp.quotient(start, unit * BigInt(query === "mean" ? size : 1));
    const scaledOff = off / dp.quotient(common, unit); // in steps, as the answers are
    return worldsOf(answers.map((sum) => (taken === size ? sum : -sum)), counts, factor, scaledOff, origin);
  }

  // The numbers of ways to take so many of the sorted steps, by their sum. Smallest and largest steps are taken at once.
  function pack(steps, taken, width) {
    const last = steps[steps.length - 1], zeros = steps.filter((step) => step === 0n).length;
    const lasts = last ? steps.filter((step) => step === last).length : 0;
    const choose = (from, some) => (some > from ? 0n : dp.binomial(from, some));
    const ways = Array.from({ length: taken + 1 }, (_, k) => choose(zeros, k));
    const inner = steps.slice(zeros, steps.length - lasts);
    inner.forEach((step, i) => {
      const fewest = Math.max(1, taken - lasts - (inner.length - 1 - i));
      for (let k = Math.min(zeros + i + 1, taken); k >= fewest; k--) ways[k] += ways[k - 1] << (step * width);
    });
    let found = 0n;
    for (let k = 0; k <= Math.min(lasts, taken); k++) found += (choose(lasts, k) * ways[taken - k]) << (last * BigInt(k) * width);
    return found;
  }

  return { counted };
});
