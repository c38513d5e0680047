// How far one query can move between neighbouring datasets of n of the N known records.
//
// Count, sum, mean and percentiles never fall as a record grows, so that a handful of pairs is enough (the proofs
// stand in dpchoose/sensitivity/monotone.py). The variance and its root have a closed form when all but one are
// released; otherwise every pair is looked at, in small universes.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const monotone = (query) => query !== "var" && query !== "std";

  // The global sensitivity at distance 1 of sorted records u, "unbounded" (add or remove) or "bounded" (change).
  function globalSensitivity(query, u, size, adjacency = "unbounded") {
    if (!monotone(query)) {
      if (size < u.length - 1) return dp.bySearch(query, u, size, adjacency);
      const sorted = dp.sortedColumn(u), column = dp.withoutEach(query, sorted);
      if (adjacency === "bounded") return range(column.values) * column.factor;
      return unboundedVariance(query, u, sorted);
    }
    if (adjacency === "bounded") return boundedByDistance(query, u, size, 1)[0];
    let most = 0;
    for (const m of [size - 1, size]) {
      if (m < 1 || m + 1 > u.length) continue;
      for (const change of candidates(query, u, m)) most = Math.max(most, change);
    }
    return most;
  }

  function range(values) {
    let low = Infinity, high = -Infinity;
    for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
    return high - low;
  }

  // The changes of the pairs that matter as one record joins m others.
  function candidates(query, u, m) {
    const last = u.length - 1;
    if (query === "count") return [1];
    if (query === "sum") return [Math.abs(u[0]), Math.abs(u[last])];
    if (query === "mean") return [meanChange(u.subarray(u.length - m), u[0]), meanChange(u.subarray(0, m), u[last])];
    const place = (size) => { const [low, after] = dp.rankOf(query, size); return low + after; };
    const small = place(m), large = place(m + 1), found = [];
    for (const [low, high] of [[large, 1 + small], [small, large]]) {
      for (const more of [1, 2]) found.push(gap(u, Math.min(Math.floor(low) + more, m + 1), m + 1, low, high));
    }
    return found;
  }

  // How far the mean of some records goes when another joins.
  function meanChange(kept, moved) {
    const m = kept.length, origin = kept[m >> 1];
    const [head, tail] = dp.sum(kept.map((value) => value - origin));
    return Math.abs(m * (moved - origin) - head - tail) / (m * (m + 1));
  }

  // b(high) - b(low), interpolated, where b is the `cut` smallest of the records and the largest up to `total`.
  function gap(u, cut, total, low, high) {
    const record = (index) => {
      const i = Math.min(index, total - 1);
      return u[i < cut ? i : i + u.length - total];
    };
    const top = Math.max(low, high), start = Math.floor(low), end = Math.floor(top);
    const afterStart = low - start, afterEnd = top - end, step = record(start + 1) - record(start);
    if (start === end) return (afterEnd - afterStart) * step;
    return (1 - afterStart) * step + (record(end) - record(start + 1)) + afterEnd * (record(end + 1) - record(end));
  }

  // The bounded global sensitivity of a query that never falls, at distances 1, ..., min(n, N - n).
  function boundedByDistance(query, u, size, most = Math.min(size, u.length - size)) {
    const found = new Float64Array(most), total = u.length;
    const [low, after] = query === "count" || query === "sum" || query === "mean" ? [0, 0] : dp.rankOf(query, size);
    const place = low + after;
    let gained = 0, tail = 0, highest = 0;
    for (let k = 1; k <= most; k++) {
      let value = 0;
      if (query === "sum" || query === "mean") {
        const more = u[total - k] - u[k - 1], next = gained + more;
        tail += dp.rest(gained, more, next);
        gained = next;
        value = (gained + tail) / (query === "mean" ? size : 1);
      } else if (query !== "count") {
        for (const step of [1, 2]) {
          value = Math.max(value, gap(u, Math.min(low + step, size + k), size + k, place, place + k));
        }
      }
      found[k - 1] = highest = Math.max(highest, value);
    }
    return found;
  }

  // The variance of the records but one or two, by their places; directly, so that no digit is lost.
  function varianceLess(u, ...places) {
    const kept = u.filter((_, i) => !places.includes(i)), origin = kept[kept.length >> 1];
    const x = kept.map((value) => value - origin), mean = dp.sum(x)[0] / x.length;
    const [squares] = dp.sum(x.map((value) => (value - mean) ** 2)), [off] = dp.sum(x.map((value) => value - mean));
    return Math.max(squares - (off * off) / x.length, 0) / x.length;
  }

  // The variance, or its root, when a record leaves N - 1 others or joins them.
  function unboundedVariance(query, u, sorted) {
    const rise = (low, high) => {
      if (query === "var") return Math.abs(high - low);
      const roots = Math.sqrt(high) + Math.sqrt(low);
      return roots > 0 ? Math.abs(high - low) / roots : 0;
    };
    const records = u.length, last = records - 1, whole = varianceLess(u);
    let most = 0;
    // joining all others, the first, the last and the middle record move it most
    for (const place of extremes(sorted)) most = Math.max(most, rise(varianceLess(u, place), whole));
    if (records < 3) return most;
    // joining N - 2 it rises most where these are neighbours
    for (const [one, other] of [[0, 1], [0, last], [last - 1, last]]) {
      const without = varianceLess(u, one, other);
      for (const place of [one, other]) most = Math.max(most, rise(without, varianceLess(u, place)));
    }
    const m = records - 2, reach = (query === "var" ? 1 : 1 / (1 + Math.sqrt(m / (m + 1)))) / (m + 1);
    const highest = (whole * records) / m;
    if (reach * (query === "var" ? highest : Math.sqrt(highest)) <= most) return most;
    return Math.max(most, falls(query, sorted, m));
  }

  // The places of the records whose deviation is the largest and the smallest.
  function extremes(sorted) {
    const { d } = dp.deviations(sorted);
    let near = 0;
    for (let k = 0; k < d.length; k++) if (Math.abs(d[k]) < Math.abs(d[near])) near = k;
    return [0, sorted.size - 1, sorted.starts[near]];
  }

  // The most by which the answer falls as record k joins all but k and j: for each k the deviation y of j that is
  // best is where the variances differ most, or, of their roots, where the derivative changes its sign.
  function falls(query, sorted, m) {
    const { values, starts } = sorted, { d, variance } = dp.deviations(sorted), scatter = variance * sorted.size;
    const before = (a, y) => (scatter - a * a - y * y) / m - ((a + y) / m) ** 2;
    const after = (y) => (scatter - y * y) / (m + 1) - (y / (m + 1)) ** 2;
    const fall = (a, y) => {
      const [high, low] = [before(a, y), after(y)];
      return query === "var" ? high - low : (high - low) / (Math.sqrt(Math.max(high, 0)) + Math.sqrt(Math.max(low, 0)) || 1);
    };
    const falling = (a, y) => { // the derivative by y, up to a positive factor
      const [high, low] = [before(a, y), after(y)];
      const ratio = query === "var" || !(low > 0) || !(high > low) ? 1 : Math.sqrt(high / low);
      return -y / m - (a + y) / m / m - ratio * (-y / (m + 1) - y / (m + 1) / (m + 1)) < 0;
    };
    let most = 0;
    for (let k = 0; k < d.length; k++) {
      let low = 0, high = d.length; // the first y from which it falls
      while (low < high) {
        const middle = (low + high) >> 1;
        if (falling(d[k], d[middle])) high = middle;
        else low = middle + 1;
      }
      for (let j = low - 2; j <= low + 2; j++) {
        if (j < 0 || j >= d.length || (j === k && starts[k + 1] - starts[k] < 2)) continue;
        most = Math.max(most, fall(d[k], d[j]));
      }
    }
    return values.length > 1 ? most : 0;
  }

  return { globalSensitivity, boundedByDistance, varianceLess, range };
});
