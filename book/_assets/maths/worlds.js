// What the adversary weighs: the distinct answers of all possible worlds, and how many worlds have each.
//
// Only differences between answers tell anything, so a column holds each answer less some origin, in a unit of its
// own: the mean without record x is a constant less x/(N - 1), and its column is x with the factor 1/(N - 1).
// No difference of two rounded answers is ever taken. `off` is how far a difference may be off.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";

  const WRITTEN = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

  // The p of percentile_p, 50 for the median; null for any other query.
  function percentileRank(query) {
    if (query === "median") return 50;
    if (!query.startsWith("percentile_")) return null;
    const text = query.slice(11), rank = WRITTEN.test(text) ? Number(text) : NaN;
    if (!(rank >= 0 && rank <= 100)) throw new Error(`query percentile_p needs a p in [0, 100], got ${dp.short(query)}`);
    return rank;
  }

  // Where the answer lies among that many sorted records: a rank, and how far beyond, as a float and as the fraction that
  // it is; p is the decimal that is written.
  function rankOf(query, size) {
    percentileRank(query);
    const rank = query === "median" ? { n: 50n, d: 1n } : dp.ofDecimal(query.slice(11).trim());
    const place = dp.fraction(BigInt(size - 1) * rank.n, 100n * rank.d), low = place.n / place.d;
    const share = { n: place.n - low * place.d, d: place.d };
    return [Number(low), dp.quotient(share.n, share.d), share];
  }

  // The records of a column in order: distinct values, how many there are of each, and the code of each record.
  function sortedColumn(values) {
    const order = dp.argsort(values), size = values.length, code = new Int32Array(size);
    const distinct = new Float64Array(size), starts = new Int32Array(size + 1);
    let kinds = 0;
    for (let i = 0; i < size; i++) {
      const value = values[order[i]] + 0;
      if (!kinds || value !== distinct[kinds - 1]) {
        starts[kinds] = i;
        distinct[kinds++] = value;
      }
      code[order[i]] = kinds - 1;
    }
    starts[kinds] = size;
    return { values: distinct.slice(0, kinds), starts: starts.slice(0, kinds + 1), code, order, size };
  }

  // The sorted records, each as often as it occurs.
  function at(sorted, place) {
    let low = 0, high = sorted.values.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sorted.starts[middle] <= place) low = middle;
      else high = middle;
    }
    return sorted.values[low];
  }

  // The records as whole numbers of a unit, and their sum.
  function exact(sorted) {
    if (!sorted.exact) {
      const { values, starts } = sorted, unit = dp.digitsOf(values).low, whole = (k) => dp.wholeOf(values[k], unit);
      let total = 0n;
      for (let k = 0; k < values.length; k++) total += whole(k) * BigInt(starts[k + 1] - starts[k]);
      sorted.exact = { unit, whole, total };
    }
    return sorted.exact;
  }

  // Deviations from the mean, the mean as head and tail, and the variance, of sorted records.
  function deviations(sorted) {
    const { values, starts, size } = sorted, origin = values[values.length >> 1];
    const terms = values.map((value, k) => (value - origin) * (starts[k + 1] - starts[k]));
    const [head, tail] = dp.sum(terms);
    const first = head / size, more = dp.timesLess(first, size, head) + tail; // head + tail is size * first + more
    const d = values.map((value, k) => {
      const away = value - origin, one = away - first - more / size;
      if (Math.abs(one) > 8 * dp.UNIT * (Math.abs(away) + Math.abs(first))) return one;
      const { whole, total, unit } = exact(sorted); // the mean itself, or as near as rounding
      return dp.quotient(BigInt(size) * whole(k) - total, BigInt(size)) * 2 ** unit;
    });
    const scatter = dp.sum(d.map((one, k) => one * one * (starts[k + 1] - starts[k])))[0];
    return { d, origin, mean: origin + first, variance: scatter / size };
  }

  // The answer without each distinct record in turn: { values, factor, off, mean, full, moves }: the column, the mean
  // answer over the worlds, the answer to all records, and how far it moves from there.
  function withoutEach(query, sorted) {
    const { values, starts, size } = sorted, left = size - 1;
    if (query === "count") {
      const moves = new Float64Array(values.length).fill(-1);
      return { values: moves, factor: 1, off: 0, mean: left, full: size, moves };
    }
    const counts = (k) => starts[k + 1] - starts[k];
    if (query === "sum" || query === "mean") {
      const whole = dp.sum(values.map((value, k) => value * counts(k)))[0];
      if (query === "sum") {
        return { values, factor: 1, off: 0, mean: (whole * left) / size, full: whole, moves: values.map((value) => -value) };
      }
      const { mean, d } = deviations(sorted);
      const moveOff = (4 * dp.UNIT * (values[values.length - 1] - values[0])) / left; // of the moves, each by itself
      return { values, factor: 1 / left, off: 0, mean, full: mean, moves: d.map((one) => -one / left), moveOff };
    }
    if (query === "var" || query === "std") return withoutEachVariance(query, sorted);
    return withoutEachPercentile(query, sorted);
  }

  // A percentile has three answers at most, from records close by: the middle one is the origin, so that the differences
  // are those on paper, rounded once.
  function withoutEachPercentile(query, sorted) {
    const { values, starts, size } = sorted, [low, , share] = rankOf(query, size - 1), [lowAll, , shareAll] = rankOf(query, size);
    const near = [0, 1, 2].map((step) => at(sorted, Math.min(low + step, size - 1))), unit = dp.digitsOf(near).low;
    const whole = near.map((value) => dp.wholeOf(value, unit)), far = (n, d) => dp.quotient(n, d) * 2 ** unit;
    const between = (one, other, { n, d }) => (d - n) * whole[one] + n * whole[other];
    // a record before both ranks moves both up by one, one between them the second alone
    const options = [between(1, 2, share), between(0, 2, share), between(0, 1, share)];
    const [place, next] = [lowAll - low, Math.min(lowAll - low + 1, 2)], full = between(place, next, shareAll);
    const places = options.map((one) => far(one - options[1], share.d));
    const moved = options.map((one) => far(one * shareAll.d - full * share.d, share.d * shareAll.d));
    const kinds = values.map((_, k) => Math.min(Math.max(starts[k] - low, 0), 2)), found = kinds.map((kind) => places[kind]);
    const mean = far(options[1], share.d) + dp.sum(found.map((value, k) => value * (starts[k + 1] - starts[k])))[0] / size;
    return { values: found, factor: 1, off: 0, mean, full: far(full, shareAll.d), moves: kinds.map((kind) => moved[kind]) };
  }

  // Whether answers are equal exactly where they are on paper, in so many kinds.
  const toldApart = (answers, kinds) => () => new Set(answers).size === kinds;

  // Of N records the one with deviation d from their mean takes (d^2 N/(N - 1) - V)/(N - 1) from their variance V.
  function withoutEachVariance(query, sorted) {
    const { values, starts, size } = sorted, { d, variance } = deviations(sorted), left = size - 1;
    const squares = d.map((one) => one * one), factor = size / left / left;
    const kinds = values.length - tied(sorted, d, squares);
    const largest = squares.reduce((most, one) => Math.max(most, one), 0);
    if (query === "var") {
      const mean = variance - variance / left / left;
      const moves = squares.map((one) => variance / left - one * factor);
      const off = 8 * dp.UNIT * largest, moveOff = 8 * dp.UNIT * (variance / left + largest * factor);
      return { values: squares.map((one) => -one), factor, off, mean, full: variance, moves, moveOff, told: toldApart(squares, kinds) };
    }
    const root = Math.sqrt(variance), found = new Float64Array(values.length);
    let off = 0;
    for (let k = 0; k < found.length; k++) {
      let change = variance / left - squares[k] * factor, after = variance + change;
      if (after < variance / 4) { // most of the variance was this record
        after = varianceWithout(sorted, k);
        change = after - variance;
      }
      const roots = Math.sqrt(Math.max(after, 0)) + root;
      found[k] = roots > 0 ? change / roots : 0;
      if (roots > 0) off = Math.max(off, (8 * dp.UNIT * (variance / left + squares[k] * factor)) / roots);
    }
    const mean = root + dp.sum(found.map((value, k) => value * (starts[k + 1] - starts[k])))[0] / size;
    return { values: found, factor: 1, off, mean, full: root, moves: found, moveOff: off, told: toldApart(found, kinds) };
  }

  // Make the squares of deviations equal that are equal on paper: those of records as far below as above the mean. How
  // many pairs of these there are.
  function tied(sorted, d, squares) {
    let pairs = 0;
    const size = BigInt(sorted.size), last = d.length - 1, slack = 32 * dp.UNIT * (d[last] - d[0]);
    for (let low = 0, high = last; low < high && d[low] < 0 && d[high] > 0;) {
      let difference = d[low] + d[high];
      if (Math.abs(difference) <= slack) { // next to each other, or equal: which of them is a matter of whole numbers
        const { whole, total } = exact(sorted), apart = size * (whole(low) + whole(high)) - 2n * total;
        difference = apart > 0n ? 1 : apart < 0n ? -1 : 0;
      }
      if (difference === 0) pairs++;
      if (difference === 0) squares[low] = squares[high];
      if (difference <= 0) low++;
      if (difference >= 0) high--;
    }
    return pairs;
  }

  // The variance of the records but one of the k-th kind.
  function varianceWithout(sorted, k) {
    const starts = sorted.starts.map((start, i) => (i > k ? start - 1 : start));
    return deviations({ values: sorted.values, starts, size: sorted.size - 1 }).variance;
  }

  // The gap from a float to the next one.
  function spacing(value) {
    if (!(value > 2 ** -1021)) return 2 ** -1074;
    let power = Math.floor(Math.log2(value));
    if (2 ** power > value) power--;
    return 2 ** Math.max(power - 52, -1074);
  }

  class Worlds {
    // columns (d of shape (M,)), factors and offs (d,), counts (M numbers or BigInts), their total, mean answers (d,).
    constructor({ columns, factors, offs, counts, means, rowOf = null }) {
      Object.assign(this, { columns, factors, offs, counts, means, rowOf });
      const whole = typeof counts[0] === "bigint";
      this.total = whole ? counts.reduce((sum, count) => sum + count, 0n) : BigInt(dp.sum(counts)[0]);
      this.unit = this.total < 10n ** 290n ? 1 : Number(this.total); // counts are weights, where floats hold them
      this.weights = new Float64Array(counts.length);
      for (let i = 0; i < counts.length; i++) {
        this.weights[i] = this.unit === 1 ? Number(counts[i]) : dp.quotient(counts[i], this.total);
      }
      const least = whole ? counts.reduce((a, b) => (b < a ? b : a)) : BigInt(counts.reduce((a, b) => Math.min(a, b)));
      this.largestPrior = { n: 1n, d: this.total };
      this.largestShare = { n: 1n, d: least };
      this.spread = columns.map((column, q) => {
        let low = Infinity, high = -Infinity;
        for (const value of column) { low = Math.min(low, value); high = Math.max(high, value); }
        return (high - low) * factors[q];
      });
    }

    get decay() {
      return (this.kept ??= new dp.Decay(this.columns, this.weights));
    }

    // The rates of the columns.
    scaled(rates) {
      return rates.map((rate, q) => rate * this.factors[q]);
    }

    // Which answers give a world away beyond the risk when no noise is added.
    growing(risk) {
      const most = risk.d / risk.n; // no more worlds than this, and fewer where it is exact
      const few = most * risk.n === risk.d ? most - 1n : most, { counts } = this;
      const limit = typeof counts[0] === "bigint" ? few : Number(few), among = new Uint8Array(counts.length);
      for (let i = 0; i < counts.length; i++) among[i] = counts[i] <= limit ? 1 : 0;
      return among;
    }

    // How far the logarithm of a risk may be off because answers are rounded; without noise only ties count.
    lost(rates) {
      return Math.min(300, rates.reduce((off, rate, q) => off + (rate < Infinity ? 2 * rate * this.factors[q] * this.offs[q] : 0), 0));
    }

    // How far the logarithm of a risk may be off at these rates.
    logError(rates) {
      const span = rates.reduce((sum, rate, q) => sum + dp.exponent(rate, this.spread[q]), 0);
      const own = 1.01 * this.decay.relativeError(span) + dp.UNIT * (8 + 4 * Math.log(Number(this.total))), size = this.counts.length;
      const theirs = rates.length > 1 ? 1.01 * dp.careful.rows(size, rates.length) + 5604 * dp.UNIT : 2 * dp.careful.along(size, span);
      return Math.max(own, theirs) + this.lost(rates);
    }

    // The tight bound at rates of shape (d,): its logarithm and a row that attains it.
    largest(rates, among = null) {
      const sums = this.decay.sums(this.scaled(rates));
      let row = -1;
      for (let i = 0; i < sums.length; i++) if ((!among || among[i]) && (row < 0 || sums[i] < sums[row])) row = i;
      if (row < 0) return { logRisk: -Infinity, risk: 0, row, sums };
      return { logRisk: -Math.log(this.unit) - Math.log(sums[row]), risk: Math.min(1, 1 / (this.unit * sums[row])), row, sums };
    }
  }

  // Rows with equal answers as one; `counts` of each row, 1 where it is null.
  function merged(columns, factors, { offs = factors.map(() => 0), means = null, counts = null, given = null } = {}) {
    const whole = factors.map((factor) => factor || 1);
    let order = null;
    for (let q = columns.length - 1; q >= 0; q--) order = dp.argsort(columns[q], order);
    const size = order.length, rowOf = new Int32Array(size), firsts = [], kept = [];
    for (let i = 0; i < size; i++) {
      const row = order[i];
      if (!i || columns.some((column) => column[row] !== column[order[i - 1]])) {
        firsts.push(row);
        kept.push(typeof counts?.[0] === "bigint" ? 0n : 0);
      }
      kept[kept.length - 1] += counts ? counts[row] : 1;
      rowOf[row] = firsts.length - 1;
    }
    return new Worlds({
      columns: columns.map((column) => dp.gathered(Float64Array, firsts, column)),
      factors: whole, offs, counts: kept, means, rowOf: given ? dp.gathered(Int32Array, given, rowOf) : rowOf,
    });
  }

  // The worlds of all records but one: statistics [{ query, values }], `sortedOf` their columns in order.
  function allButOne(statistics, records, sortedOf) {
    const columns = [...new Set(statistics.map((one) => one.values).filter(Boolean))];
    const found = statistics.map((one) => withoutEach(one.query, one.values ? sortedOf(one.values) : constant(records)));
    const [factors, offs, means] = ["factor", "off", "mean"].map((name) => found.map((one) => one[name]));
    const told = (worlds) => Object.assign(worlds, { told: found.map((one) => one.told ?? (() => true)) });
    if (columns.length === 1) { // a row for each distinct record will do
      const { starts, code, values } = sortedOf(columns[0]), counts = values.map((_, k) => starts[k + 1] - starts[k]);
      const each = found.map((one, q) => (statistics[q].values ? one.values : new Float64Array(values.length)));
      return told(merged(each, factors, { offs, means, counts, given: code }));
    }
    const each = found.map((one, q) => {
      if (!statistics[q].values) return new Float64Array(records);
      const { code } = sortedOf(statistics[q].values);
      return dp.gathered(Float64Array, code, one.values);
    });
    return told(merged(each, factors, { offs, means }));
  }

  const constant = (records) => ({ values: new Float64Array(1), starts: Int32Array.from([0, records]), size: records });

  return { percentileRank, rankOf, sortedColumn, deviations, withoutEach, varianceWithout, spacing, Worlds, merged, allButOne, at };
});
