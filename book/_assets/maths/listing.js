// All worlds of a small universe, one by one, with the records that each holds.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const MAX_WORLDS = 10_000_000, MEMBERSHIPS = 20_000_000, GRID_WORK = 1e9;
  const MOST_WORK = 1e9; // records that are looked at in all worlds together

  // A sentence for what the package does and the page does not.
  const refusal = (what) =>
    new Error(`${what} would take too long in a page: ask dpchoose epsilon, which has the same answer`);

  // Each n-subset of N places in turn, the places in rising order; one array that is changed in place.
  function* subsets(records, size) {
    const places = Int32Array.from({ length: size }, (_, i) => i);
    while (true) {
      yield places;
      let last = size - 1;
      while (last >= 0 && places[last] === records - size + last) last--;
      if (last < 0) return;
      places[last]++;
      for (let i = last + 1; i < size; i++) places[i] = places[i - 1] + 1;
    }
  }

  // The answer to some records, less the origin from which they are counted where that moves with them; no percentile.
  function answerTo(query, values) {
    const size = values.length;
    if (query === "count") return 0;
    if (query === "sum" || query === "mean") return dp.sum(values)[0];
    const mean = dp.sum(values)[0] / size;
    let squares = 0, rest = 0;
    for (const value of values) { squares += (value - mean) ** 2; rest += value - mean; }
    const variance = Math.max(squares - (rest * rest) / size, 0) / size;
    return query === "var" ? variance : Math.sqrt(variance);
  }

  // The same for records by their places: a percentile counts those that are in from the smallest record on.
  function answering(query, values, size) {
    if (dp.percentileRank(query) === null) {
      const buffer = new Float64Array(size);
      return (places) => {
        for (let i = 0; i < size; i++) buffer[i] = values[places[i]];
        return answerTo(query, buffer);
      };
    }
    const order = dp.argsort(values), [low, after] = dp.rankOf(query, size);
    return (_, inside) => {
      let left = low + 1, at = -1;
      while (left) left -= inside[order[++at]];
      const one = values[order[at]];
      if (!after) return one;
      while (!inside[order[++at]]);
      const other = values[order[at]];
      return query === "median" ? (one + other) / 2 : one + after * (other - one);
    };
  }

  // Answers that only rounding keeps apart, made equal; a run longer than rounding explains is left as it is.
  function evened(column, slack) {
    const order = dp.argsort(column), found = column.slice();
    for (let start = 0, i = 1; i <= order.length; i++) {
      if (i < order.length && column[order[i]] - column[order[i - 1]] <= slack) continue;
      if (column[order[i - 1]] - column[order[start]] <= 2 * slack) {
        for (let k = start; k < i; k++) found[order[k]] = column[order[start]];
      }
      start = i;
    }
    return found;
  }

  // The worlds of n records, each listed, or null where there are too many; `held` says who is in them.
  function listed(statistics, records, size) {
    const total = Math.round(10 ** dp.log10Count(records, size));
    if (!(total <= MAX_WORLDS)) return null;
    if (total * size * statistics.length > MOST_WORK) throw refusal(`Listing ${dp.grouped(total)} possible releases`);
    const count = Number(dp.binomial(records, size));
    const columns = statistics.map(() => new Float64Array(count)), origins = statistics.map((one) => middle(one.values));
    const shifted = statistics.map((one, q) => one.values?.map((value) => value - origins[q]) ?? new Float64Array(records));
    const answer = statistics.map((one, q) => answering(one.query, shifted[q], size)), inside = new Uint8Array(records);
    let world = 0;
    for (const places of subsets(records, size)) {
      inside.fill(0);
      for (let i = 0; i < size; i++) inside[places[i]] = 1;
      for (let q = 0; q < answer.length; q++) columns[q][world] = answer[q](places, inside);
      world++;
    }
    const offs = [], factors = [], means = [];
    const even = columns.map((column, q) => {
      const { query } = statistics[q], origin = origins[q];
      const largest = column.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      factors.push(query === "mean" ? 1 / size : 1);
      offs.push(dp.percentileRank(query) === null && query !== "count" ? 4 * dp.UNIT * largest : 2 * dp.UNIT * largest);
      const typical = (dp.sum(column)[0] / count) * factors[q];
      const moved = query === "sum" ? size * origin : query === "count" ? size : query === "var" || query === "std" ? 0 : origin;
      means.push(typical + moved);
      return evened(column, 8 * dp.spacing(largest));
    });
    return dp.merged(even, factors, { offs, means });
  }

  const middle = (values) => (values ? values.slice().sort()[values.length >> 1] : 0);

  // What the risks of records are looked up in.
  function recordTable(statistics, records, size, worlds, step, slopes) {
    const lone = size === 1 || size === records - 1;
    const few = dp.log10Count(records, size) <= Math.log10(MEMBERSHIPS);
    const total = few ? Number(dp.binomial(records, size)) : MEMBERSHIPS;
    if ((lone || total * records <= MEMBERSHIPS) && total <= MAX_WORLDS) {
      const every = worlds?.rowOf ? worlds : listed(statistics, records, size);
      if (lone) return new dp.LoneWorlds(every, size === records - 1 ? "absent" : "present");
      const outputs = every.columns.reduce((product, column) => product * new Set(column).size, 1);
      if (statistics.length === 1 || outputs * every.counts.length * records <= GRID_WORK) {
        const held = Array.from({ length: records }, () => new Float64Array(every.counts.length));
        let world = 0;
        for (const places of subsets(records, size)) {
          const row = every.rowOf[world++];
          for (let i = 0; i < size; i++) held[places[i]][row]++;
        }
        return new dp.ListedWorlds(every, held);
      }
    }
    return new dp.BoundedRecords(step, slopes, size, records);
  }

  // The sensitivity of the variance or the deviation at distance 1, by looking at all pairs.
  function bySearch(query, u, size, adjacency) {
    const records = u.length, total = Math.round(10 ** dp.log10Count(records, size));
    const pairs = adjacency === "bounded" ? size * (records - size) : records;
    if (!(total * pairs * size <= MOST_WORK)) throw refusal(`The sensitivity of the ${query} of ${size} of ${records} records`);
    const origin = u[records >> 1], x = u.map((value) => value - origin);
    const answer = (places) => answerTo(query, Float64Array.from(places, (place) => x[place]));
    let most = 0;
    for (const inside of subsets(records, size)) {
      const places = Array.from(inside), here = answer(places);
      const taken = new Set(places), outside = Array.from(x.keys()).filter((place) => !taken.has(place));
      const compare = (other) => { most = Math.max(most, Math.abs(answer(other) - here)); };
      const without = (place) => places.filter((one) => one !== place);
      if (adjacency === "bounded") {
        for (const gone of places) for (const come of outside) compare([...without(gone), come]);
      } else {
        if (size > 1) for (const gone of places) compare(without(gone));
        for (const come of outside) compare([...places, come]);
      }
    }
    return most;
  }

  return { MAX_WORLDS, refusal, subsets, answerTo, evened, listed, recordTable, bySearch };
});
