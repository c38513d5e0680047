// A table with answers for each group, published together. When all but one are released, a world is a group and a
// move: how far its answers are from those of the full group. The worlds of two groups are as far apart as their
// moves together, so that only the records of one group are summed with each other; otherwise bounds are used.
// The proofs stand in dpchoose/risk/bounds.py and dpchoose/sensitivity/groups.py.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const needsNone = (query) => query === "count" || query === "sum";
  const largestOf = (values) => values.reduce((a, b) => (a >= b || a !== a ? a : b), -Infinity);
  const product = (rate, size) => (size === 0 ? 0 : rate * size);
  const sumOf = (rates, sizes) => rates.reduce((sum, rate, q) => sum + product(rate, sizes[q]), 0);
  const largestTwo = (values) => {
    const sorted = Float64Array.from(values).sort();
    return sorted.subarray(-2).reduce((sum, one) => sum + one, 0);
  };

  // The worlds of all records but one: for each group its Worlds, and the moves of their rows.
  class GroupedWorlds {
    constructor(groups, records) {
      this.records = records;
      this.parts = groups.map(({ found, sorteds, size }) => {
        const each = found.map((one, q) => dp.gathered(Float64Array, sorteds[q].code, one.values));
        const [factors, offs, means] = ["factor", "off", "mean"].map((name) => found.map((one) => one[name]));
        const worlds = dp.merged(each, factors, { offs, means });
        const moves = found.map(() => new Float64Array(worlds.counts.length));
        for (let i = 0; i < size; i++) found.forEach((one, q) => { moves[q][worlds.rowOf[i]] = one.moves[sorteds[q].code[i]]; });
        return { worlds, moves, size, moveOffs: found.map((one) => one.moveOff ?? 0) };
      });
      const told = ({ told: known, moves, values }) => !known || (known() && (values.length === 1 || !moves.includes(0)));
      this.told = groups[0].found.map((_, q) => () => groups.every(({ found }) => told(found[q]))); // a move of 0 may be rounded
      const sizes = this.parts.map(({ worlds }) => worlds.counts.length);
      const inLine = this.parts.every(({ worlds }) => worlds.decay.chains.length === 1);
      this.leastError = dp.careful.groups(sizes, groups[0].found.length, inLine);
      const still = [];
      for (const part of this.parts) {
        part.ties = part.worlds.counts.slice();
        part.ties.forEach((count, i) => { if (part.moves.every((move) => move[i] === 0)) still.push([part, i, count]); });
      }
      const alike = still.reduce((sum, [, , count]) => sum + count, 0); // what moves nothing is one world
      for (const [part, i] of still) part.ties[i] = alike;
      this.leastTies = this.parts.reduce((least, part) => part.ties.reduce((a, b) => Math.min(a, b), least), Infinity);
    }

    // How far each world of a group is from the full universe, which is none of them.
    away(part, rates) {
      return part.moves[0].map((_, i) => rates.reduce((sum, rate, q) => sum + dp.exponent(rate, Math.abs(part.moves[q][i])), 0));
    }

    // The tight bound at rates of each group: its logarithm, what it may be off, and where it is attained.
    tight(table, few = Infinity) {
      const aways = this.parts.map((part, g) => this.away(part, table[g]));
      const masses = this.parts.map((part, g) => dp.sum(aways[g].map((one, i) => part.worlds.counts[i] * Math.exp(-one)))[0]);
      const before = [0], after = [0];
      for (let g = 0; g < masses.length; g++) {
        before.push(before[g] + masses[g]);
        after.push(after[g] + masses[masses.length - 1 - g]);
      }
      let least = Infinity, at = [0, 0], error = 0, farthest = 0;
      this.parts.forEach((part, g) => {
        const sums = part.worlds.decay.sums(part.worlds.scaled(table[g]));
        const others = before[g] + after[masses.length - 1 - g];
        error = Math.max(error, part.worlds.logError(table[g]));
        for (let i = 0; i < sums.length; i++) {
          if (!(part.ties[i] < few)) continue;
          const sum = sums[i] + Math.exp(-aways[g][i]) * others;
          if (sum < least) [least, at] = [sum, [g, i]];
        }
        farthest = Math.max(farthest, ...[aways[g].reduce((a, b) => (b > a && b < Infinity ? b : a), 0)]);
      });
      const steps = 4 * (table[0].length + 2) * Math.min(2 * farthest, 745) + 2 * masses.length + 40;
      const moved = this.parts.reduce((most, part, g) => Math.max(most, part.moveOffs.reduce((sum, off, q) =>
        sum + (table[g][q] < Infinity ? 4 * table[g][q] * off : 0), 0)), 0);
      const logError = Math.max(error + steps * dp.UNIT, this.leastError) + Math.min(moved, 1);
      return { logRisk: -Math.log(least), risk: 1 / least, logError, at };
    }

    // How far all worlds are from one of them, group after group.
    distances([group, row], table) {
      const own = this.parts[group], here = table[group].reduce((sum, rate, q) => sum + dp.exponent(rate, Math.abs(own.moves[q][row])), 0);
      return this.parts.flatMap((part, g) => {
        if (g === group) return Array.from(part.worlds.decay.distances(row, part.worlds.scaled(table[g])));
        return Array.from(this.away(part, table[g]), (one) => one + here);
      });
    }

    diameter(table) {
      const within = this.parts.map((part, g) => part.worlds.decay.diameter(part.worlds.scaled(table[g])));
      const farthest = this.parts.map((part, g) => largestOf(this.away(part, table[g])));
      return Math.max(largestOf(within), farthest.length > 1 ? largestTwo(farthest) : 0);
    }
  }

  // The tight bound along a ray.
  class GroupedTight {
    constructor(worlds, risk, ray, shaped) {
      Object.assign(this, { worlds, ray, shaped });
      this.few = Number((risk.d + risk.n - 1n) / risk.n); // so many ties keep the risk
      this.prior = { n: 1n, d: BigInt(worlds.records) };
      this.limit = { n: 1n, d: BigInt(worlds.leastTies) };
      this.logs = worlds.parts.flatMap((part) => Array.from(part.worlds.counts, Math.log));
    }

    start(goal) {
      return dp.upperCurve(this.prior, this.worlds.diameter(this.shaped(this.ray.direction))).start(goal);
    }

    look(rate, goal) {
      const { base, direction } = this.ray;
      const { logRisk, logError, at } = this.worlds.tight(this.shaped(dp.reached(base, direction, rate)), this.few);
      const based = base.some((one) => one > 0 && one < Infinity) ? this.worlds.distances(at, this.shaped(base)) : null;
      const logs = based ? this.logs.map((one, i) => one - based[i]) : this.logs;
      const distances = this.worlds.distances(at, this.shaped(direction));
      return { logRisk, logError, root: dp.rootOf(distances, logs, logError - goal, rate) };
    }
  }

  // How far one answer of a group of sorted records u can move, with low to high of them in a world: see the package.
  function reachOf(query, u, low, high, found, alone) {
    const size = u.length, apart = high > low ? 1 : 0, [first, last] = [u[0], u[size - 1]];
    if (query === "count") return { unbounded: 1, bounded: apart, shift: apart, spread: high - low };
    if (query === "sum") {
      const step = Math.max(Math.abs(first), Math.abs(last)), shift = step * apart;
      let spread = 0;
      for (let i = 0; i < high; i++) {
        const mirrored = u[size - 1 - i];
        if (i < Math.min(low, size - low)) spread += mirrored - u[i];
        if (i >= low) spread += Math.max(mirrored, 0) - Math.min(u[i], 0);
      }
      return { unbounded: step, bounded: Math.max(last - first, shift), shift, spread };
    }
    const sensitivity = (m) => dp.globalSensitivity(query, u, m, "unbounded");
    if (query === "mean") {
      const stepFrom = (m) => { // as a record joins the m that are farthest from it
        if (m < 1) return NaN;
        let up = 0, down = 0;
        for (let i = 0; i < m; i++) { up += last - u[i]; down += u[size - 1 - i] - first; }
        return Math.max(up, down) / (m * (m + 1));
      };
      const shift = apart && stepFrom(low);
      const widest = dp.boundedByDistance("sum", u, low, Math.min(low, size - low));
      const spread = widest.length ? widest[widest.length - 1] / low : 0;
      return { unbounded: stepFrom(low - 1), bounded: Math.max((last - first) / low, shift), shift, spread };
    }
    if (!found) throw dp.refusal(`The ${query} of groups of which more than one record is missing`);
    const least = found.moves.reduce((a, b) => Math.min(a, b)), most = found.moves.reduce((a, b) => Math.max(a, b));
    const shift = alone ? 0 : Math.max(most, -least);
    const unbounded = low > 1 ? sensitivity(Math.max(low, 1)) : NaN;
    const spread = alone ? most - least : Math.max(most, 0) - Math.min(least, 0);
    return { unbounded, bounded: Math.max(most - least, shift), shift, spread };
  }

  class Grouped extends dp.Setting {
    constructor({ by, ...about }) {
      const { statistics, records, releaseSize, adjacency } = about;
      const labels = Array.from(by);
      if (labels.length !== records) throw new Error(`by must hold a label for each of ${records} records, got ${labels.length}`);
      const names = [...new Set(labels)].sort(byCodePoint), places = new Map(names.map((name) => [name, []]));
      labels.forEach((label, row) => places.get(label).push(row));
      const missing = records - releaseSize + (adjacency === "unbounded" ? 1 : 0);
      const needy = statistics.find((one) => !needsNone(one.query));
      for (const name of names) {
        const size = places.get(name).length;
        if (needy && size <= missing) {
          const shown = typeof name === "string" ? dp.short(name) : String(name);
          throw new Error(`group ${shown} must hold at least ${missing + 1} records for the ${needy.query}, got ${size}`);
        }
      }
      super({ ...about, scales: names.flatMap(() => about.scales) });
      this.names = names;
      const several = statistics.length, lone = releaseSize === records - 1;
      this.shaped = (rates) => names.map((_, g) => rates.slice(g * several, (g + 1) * several));
      dp.once(this, "groups", () => names.map((name) => {
        const rows = places.get(name), sizes = rows.length;
        const values = statistics.map((one) => (one.values ? dp.gathered(Float64Array, rows, one.values) : new Float64Array(sizes)));
        const sorteds = values.map(dp.sortedColumn);
        const found = statistics.map((one, q) => dp.withoutEach(one.query, sorteds[q]));
        const low = Math.max(0, sizes - (records - releaseSize)), high = Math.min(sizes, releaseSize);
        const reach = statistics.map((one, q) =>
          reachOf(one.query, values[q].slice().sort(), low, high, lone ? found[q] : null, names.length === 1));
        return { sorteds, found, reach, size: sizes };
      }));
      const reached = (name) => this.groups.map((group) => group.reach.map((one) => one[name]));
      dp.once(this, "worlds", () => (lone ? new GroupedWorlds(this.groups, records) : null));
      for (const name of ["unbounded", "bounded", "spread"]) dp.once(this, name, () => reached(name).flat());
      dp.once(this, "shifts", () => reached("shift"));
      dp.once(this, "means", () => this.groups.flatMap((group) => group.found.map((one, q) =>
        lone ? one.full + this.meanMove(group, q) : needsNone(statistics[q].query) ? (releaseSize / records) * one.full : one.full)));
      dp.once(this, "table", () => this.records_());
    }

    get labels() {
      return this.names.flatMap((name) => this.statistics.map((one) => `${one.label}, ${name}`));
    }

    meanMove({ found, sorteds }, q) {
      const { starts } = sorteds[q];
      return dp.sum(found[q].moves.map((move, k) => move * (starts[k + 1] - starts[k])))[0] / this.records;
    }

    farthest(rates) {
      return this.worlds ? this.worlds.diameter(this.shaped(rates)) : sumOf(rates, this.spread);
    }

    // The most that all answers together move as one record is changed.
    step(rates) {
      const table = this.shaped(rates), bounded = this.shaped(this.bounded);
      const within = largestOf(table.map((row, g) => sumOf(row, bounded[g])));
      return Math.max(within, largestTwo(table.map((row, g) => sumOf(row, this.shifts[g]))));
    }

    total(epsilons) {
      const each = epsilons.length / this.names.length; // of all answers, or of the new ones
      const sums = this.names.map((_, g) => epsilons.slice(g * each, (g + 1) * each).reduce((sum, one) => sum + one, 0));
      return this.adjacency === "unbounded" ? largestOf(sums) : largestTwo(sums);
    }

    unboundedTotal(rates) {
      const unbounded = this.shaped(this.unbounded);
      const sums = this.shaped(rates).map((row, g) => row.reduce((sum, rate, q) => sum + dp.exponent(rate, unbounded[g][q]), 0));
      return sums.some(Number.isNaN) ? NaN : largestOf(sums);
    }

    worldRisk(rates) {
      return this.worlds ? this.worlds.tight(this.shaped(rates)).risk : dp.asRisk(this.curveAt(rates).logRisk(1));
    }

    average() { return NaN; }

    worldCurve(ray, risk) {
      return this.worlds ? new GroupedTight(this.worlds, risk, ray, this.shaped) : this.shellCurve(ray);
    }

    distances(rates) {
      const most = Math.min(this.releaseSize, this.records - this.releaseSize), step = this.step(rates);
      const farthest = sumOf(rates, this.spread);
      return Float64Array.from({ length: most + 1 }, (_, k) => Math.min(k && k * step, farthest));
    }

    // The shell bound; without noise it may give every world away.
    curveAt(rates) {
      const { logs, error } = dp.logSizes(this.releaseSize, this.records);
      const limit = this.spread.some((one) => one !== 0) ? { n: 1n, d: 1n } : this.prior;
      return new dp.Exponentials(this.distances(rates), logs, this.prior, limit, error);
    }

    shellCurve(ray) {
      const { logs, limit, logError } = this.curveAt(ray.direction);
      return new dp.Around((rates) => this.distances(rates), logs, this.prior, limit, ray.base, ray.direction, logError);
    }

    // The risks of one record: that of being out, of all but one, is the tight bound; the rest is the record bound.
    records_() {
      const bound = new dp.BoundedRecords((rates) => this.step(rates), [], this.releaseSize, this.records);
      const look = (rates, secret) => {
        let { logOdds } = bound.look(rates, secret);
        if (this.worlds && secret === "absent") {
          const risk = this.worldRisk(rates);
          logOdds = Math.min(logOdds, risk < 1 ? Math.log(risk) - Math.log1p(-risk) + 1e-9 : Infinity);
        }
        return { logOdds, slopes: rates.map(() => NaN) };
      };
      return { exact: false, look };
    }
  }

  // As Python sorts texts and numbers.
  function byCodePoint(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    const [a, b] = [Array.from(String(one)), Array.from(String(other))];
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i].codePointAt(0) - b[i].codePointAt(0);
    return a.length - b.length;
  }

  return { Grouped };
});
