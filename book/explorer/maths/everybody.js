// Everybody is in the file: all rows are released, and of each answered value only public limits
// are known, to which it is cut. Closed forms, of which dpchoose/your_data/public_limits.py has the
// reasons; rates are those of group after group, in each row after row. No rate depends on a value
// of the file.
((dp) => {
  "use strict";
  const { words } = dp,
    { ERROR_FACTOR, MOST_DISTANCE } = words;
  // A quotient or a difference that is no less than what it stands for; whole numbers are exact.
  const up = (value, ...of) =>
    [value, ...of].every(Number.isInteger) && Math.abs(value) < 2 ** 53
      ? value
      : value * (1 + 2 ** -52);
  // How far one record moves an answer: when it is changed, and when it comes or goes; n is null
  // where it is hidden.
  function limitsSensitivity(kind, [low, high], n) {
    const range = up(high - low, low, high);
    if (kind === "count") return [0, 1];
    if (n !== null) return [kind === "sum" ? range : up(range / n, range, n), 0];
    return [range, kind === "sum" ? Math.max(Math.abs(low), Math.abs(high)) : range / 2];
  }
  // Limits so narrow beside their size that floats cannot add values up.
  function refuseNarrow(name, [low, high], n) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low < (n ?? 2 ** 20) * 2 ** -50 * size)
      dp.refuse(`limits of ${name} ${words.TOO_NARROW}, got ${low} to ${high}${words.COUNT_FROM}`);
  }
  // How often Laplace noise of scale a exceeds another of scale b by z.
  function exceeds(z, a, b) {
    if (b < 1e-9 * a) return Math.exp(-z / a) / 2;
    if (Math.abs(a - b) < 1e-6 * a) return ((2 + z / a) * Math.exp(-z / a)) / 4;
    return (a * a * Math.exp(-z / a) - b * b * Math.exp(-z / b)) / (2 * (a * a - b * b));
  }
  // The error that c + S/C exceeds 5 times in 100, S and C with Laplace noise, of n records whose
  // mean is `offset` from c.
  function plannedError(size, offset, range, sumScale, countScale) {
    let low = 0,
      high = range;
    for (let i = 0; i < 60; i++) {
      const x = (low + high) / 2,
        chance = (sign) => exceeds(x * size, sumScale, Math.abs(offset + sign * x) * countScale);
      if (chance(1) + chance(-1) > 0.05) low = x;
      else high = x;
    }
    return high;
  }
  const after = (belief, factor) =>
    factor === Infinity ? 1 : (factor * belief) / (1 - belief + factor * belief);
  const columnIn = (label) => label.slice(label.indexOf(":") + 1),
    cutTo = ({ values, limits: [low, high] }, i) => Math.min(Math.max(values[i], low), high);

  class Everybody {
    // `asks`: { label, query, column, values, limits }; whether n is hidden; codes of groups, or
    // null, their names and their column; how many rows a person may have, and in which column it
    // was checked that nobody has more, or else that only the first so many are kept.
    constructor({ asks, hidden = false, codes = null, names = [], by = "", ...whose }) {
      Object.assign(this, { hidden, names, by, ...whose, groups: names.length || 1 });
      this.records = asks[0].values.length;
      this.codes = codes ?? new Int32Array(this.records);
      this.sizes = this.#sums(() => 1);
      this.asks = asks.map((ask) => ({ ...ask, sums: this.#sums((i) => cutTo(ask, i)) }));
      this.answered = this.asks.filter(({ query }) => query !== "count");
      // The columns whose values are cut; a share is of what is not cut.
      this.columns = new Map(
        this.answered
          .filter(({ query }) => query !== "share")
          .map(({ column, limits }) => [column, limits]),
      );
      this.means = hidden ? this.answered.filter(({ query }) => query !== "sum") : [];
      const kinds = this.answered.map((ask) => {
        const { query, label } = ask,
          isMean = this.means.includes(ask);
        refuseNarrow(ask.column, ask.limits, hidden ? null : Math.max(...this.sizes));
        const kind = query === "sum" ? "sum" : isMean ? "centred sum" : "mean";
        return { ask, kind, weight: 1, label: isMean ? `centred sum:${columnIn(label)}` : label };
      });
      const counts = asks.length - kinds.length + this.means.length / 2;
      if (counts) kinds.push({ ask: this.asks[0], kind: "count", weight: counts, label: "count" });
      this.rows = Array.from(this.sizes, (_, group) =>
        kinds.map((kind) => this.#row(kind, group)),
      ).flat();
      const labels = this.rows.map(({ statistic }) => statistic),
        twice = labels.find((label, i) => labels.indexOf(label) < i);
      if (twice)
        dp.refuse(
          `each answer must be asked once, under a label of its own, got ${dp.short(twice)} twice`,
        );
      this.direction = this.rows.map(({ weight, change, add }) => weight / Math.max(change, add));
      this.cuts = this.answered
        .filter(({ query }) => query !== "share")
        .map((ask) => this.#cut(ask));
    }
    // What gets noise in a group: its exact answer, of cut values, nan of a centred sum; and how far
    // the rows of one person move it.
    #row({ ask, kind, weight, label }, group) {
      const size = this.sizes[group],
        sum = ask.sums[group],
        answer = { count: size, sum, mean: sum / size }[kind] ?? NaN,
        moves = limitsSensitivity(kind, ask.limits, this.hidden ? null : size);
      const [change, add] = moves.map((move) => move * this.perPerson),
        sensitivity = this.hidden ? add : change;
      const called = this.#called(label, group);
      return { ask, kind, group, weight, ...called, answer, change, add, sensitivity };
    }
    // What an answer is called, and of what it is, in which group.
    #called(of, group) {
      const inGroup = this.names[group] ?? "";
      return { statistic: this.names.length ? `${of}, ${inGroup}` : of, of, inGroup };
    }
    // The sums of something of each record, in each group.
    #sums(valueOf) {
      const sums = new Float64Array(this.groups);
      for (let i = 0; i < this.records; i++) sums[this.codes[i]] += valueOf(i);
      return sums;
    }
    // An answer with what the limits cut, and without.
    #cut({ query, label, values, sums }) {
      const divisor = query === "mean" ? this.records : 1,
        whole = (each) => each.reduce((a, b) => a + b, 0);
      return { label, cut: whole(sums) / divisor, uncut: whole(values) / divisor };
    }
    // The sum of the values of each group's rows.
    groupSums(values) {
      const sums = new Float64Array(this.groups);
      this.rows.forEach(({ group }, i) => (sums[group] += values[i]));
      return [...sums];
    }
    // How far apart that lies at most which each reader cannot tell apart, rounded up.
    losses(rates) {
      const lossOf = (move) => this.groupSums(this.rows.map((row, i) => row[move] * rates[i])),
        losses = [],
        readers = words.READERS,
        grouped = this.hidden && this.names.length;
      if (this.answered.length)
        losses.push([readers[grouped ? "value in group" : "value"], Math.max(...lossOf("change"))]);
      if (this.hidden) {
        const [first, second] = lossOf("add").sort((a, b) => b - a);
        losses.push([readers.member, first]);
        if (grouped > 1) losses.push([readers.group, first + second]);
      }
      // Floats of sums and means of n values move by n 2^-52 more, as a share.
      const rounding = ERROR_FACTOR + (this.hidden ? 0 : Math.max(...this.sizes) * 2 ** -52);
      return losses.map(([reader, loss]) => [reader, loss * rounding]);
    }
    distance(rates) {
      return Math.max(...this.losses(rates).map(([, loss]) => loss));
    }
    // By how much odds grow between two lists that lie a loss apart, beside a factor that is out.
    factor(loss, already) {
      return loss < MOST_DISTANCE ? Math.exp(loss) * ERROR_FACTOR * already : Infinity;
    }
    readers(rates, before, already) {
      const names = new Set(this.answered.map(({ column }) => column)),
        apart = names.size === this.answered.length,
        exact = already === 1 && this.perPerson === 1 && apart;
      return this.losses(rates).flatMap(([reader, loss]) =>
        (before ? [0.5, before] : [0.5]).map((belief) => {
          const factor = this.factor(loss, already),
            grown = Math.min(after(belief, factor) * ERROR_FACTOR, 1);
          return { reader, before: belief, after: grown, factor, exact };
        }),
      );
    }
    // Each mean that a centred sum and a count make: its label, the exact mean, and its planned
    // error, to one digit.
    derived(rates) {
      return this.rows.flatMap(({ kind, ask, group }, i) => {
        if (kind !== "centred sum") return [];
        const size = this.sizes[group],
          [low, high] = ask.limits,
          answer = ask.sums[group] / size,
          count = this.rows.findIndex((row) => row.kind === "count" && row.group === group);
        const scales = [1 / rates[i], 1 / rates[count]],
          offset = answer - (low + high) / 2,
          error = size ? plannedError(size, offset, high - low, ...scales) : NaN;
        return { ...this.#called(ask.label, group), answer, error: dp.oneDigit(error) };
      });
    }
  }

  Object.assign(dp, { Everybody, after });
})(globalThis.dpchoose);
