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
  const larger = (a, b) => Math.max(a, b);
  // How far one record moves an answer: when it is changed, and when it comes or goes; n is null
  // where it is hidden.
  function limitsSensitivity(kind, [low, high], n) {
    const range = up(high - low, low, high);
    if (kind === "count") return [0, 1];
    if (n !== null) return [kind === "sum" ? range : up(range / n, range, n), NaN];
    return [range, kind === "sum" ? Math.max(Math.abs(low), Math.abs(high)) : range / 2];
  }
  // The limits of a column as numbers, from two texts.
  function parseLimits(column, [low, high]) {
    const [a, b] = [low, high].map((text) => dp.float(dp.parseNumber(text, `limits of ${column}`)));
    if (!(b - a >= words.SMALLEST))
      dp.refuse(dp.fill(words.LIMITS_IN_ORDER, { name: `limits of ${column}`, low, high }));
    return [a, b];
  }
  // Limits so narrow beside their size that floats cannot add values up.
  function refuseNarrow(name, [low, high], n) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low < (n ?? 2 ** 20) * 2 ** -50 * size)
      dp.refuse(
        `limits of ${name} must not be so narrow beside their size that floats cannot add them ` +
          `up, got ${low} to ${high}: count from another origin`,
      );
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
  // The row of a reader between two lists that lie a loss apart, beside a factor that is out.
  function readerAt(reader, before, loss, already) {
    const factor = loss < MOST_DISTANCE ? Math.exp(loss) * ERROR_FACTOR * already : Infinity;
    const belief = Math.min(after(dp.float(before), factor) * ERROR_FACTOR, 1);
    return { reader, before, after: belief, factor, exact: false, promised: true };
  }

  class Everybody {
    // `asks`: { label, query, column, values, limits }; whether n is hidden; codes of groups, or
    // null, and their names; how many rows a person may have.
    constructor({ asks, hidden = false, codes = null, names = [], perPerson = 1 }) {
      const groups = names.length || 1;
      Object.assign(this, { asks, hidden, names, groups, codes, perPerson });
      this.records = asks[0].size;
      this.rows = [];
      this.means = [];
      if (!hidden && asks.some(({ query }) => query === "count"))
        dp.refuse(
          "a count must come with a hidden number of rows: where it is public, it is that number. " +
            "Hide the number of rows, or ask for a share",
          { name: "hide", choices: [true] },
        );
      this.sizes = new Float64Array(groups);
      for (let i = 0; i < this.records; i++) this.sizes[codes ? codes[i] : 0]++;
      const countShares = asks.map(() => 0);
      asks.forEach((ask, place) => {
        const shares = asks.map((_, i) => Number(i === place)),
          column = ask.label.slice(ask.label.indexOf(":") + 1);
        if (ask.query === "count") countShares[place] = 1;
        else if (ask.query === "sum" || !hidden)
          this.#add(ask.query === "sum" ? "sum" : "mean", ask.label, ask, shares);
        else {
          countShares[place] = 0.5;
          this.means.push({ ask, row: this.rows.length });
          this.#add("centred sum", `centred sum:${column}`, ask, shares);
        }
      });
      if (countShares.some(Boolean)) this.#add("count", "count", asks[0], countShares);
      const answered = asks.filter(({ query }) => query !== "count");
      this.columns = new Map(
        answered.map(({ label, limits }) => [label.slice(label.indexOf(":") + 1), limits]),
      );
      const labels = [...this.labels, ...this.inGroups(this.means.map(({ ask }) => ask.label))],
        twice = labels.find((label, i) => labels.indexOf(label) < i);
      if (twice)
        dp.refuse(
          `each answer must have a label of its own, got ${dp.short(twice)} twice: rename a ` +
            "column or a group",
        );
    }
    // A statistic that gets noise, and how far the rows of one person move it in each group.
    #add(kind, label, ask, shares) {
      if (kind !== "count")
        refuseNarrow(ask.column, ask.limits, this.hidden ? null : this.sizes.reduce(larger));
      const moves = Array.from(this.sizes, (size) =>
        limitsSensitivity(kind, ask.limits ?? [0, 1], this.hidden ? null : size),
      );
      const change = moves.map(([value]) => value * this.perPerson),
        add = moves.map(([value, come]) => (Number.isNaN(come) ? value : come) * this.perPerson);
      this.rows.push({ kind, label, ask, shares, change, add });
    }
    inGroups(labels) {
      if (!this.names.length) return labels;
      return this.names.flatMap((name) => labels.map((label) => `${label}, ${name}`));
    }
    // Something of each row of each group, in the order of the rates.
    each(what) {
      const groups = Array.from({ length: this.groups }, (_, group) => group);
      return groups.flatMap((group) => this.rows.map((row) => what(row, group)));
    }
    get labels() {
      return this.inGroups(this.rows.map(({ label }) => label));
    }
    get sensitivities() {
      return this.each((row, group) => (this.hidden ? row.add : row.change)[group]);
    }
    // The largest sum of the rows of a group.
    total(values) {
      return Math.max(...this.sums(values));
    }
    sums(values) {
      const size = this.rows.length;
      return Array.from({ length: this.groups }, (_, group) =>
        values.slice(group * size, (group + 1) * size).reduce((a, b) => a + b, 0),
      );
    }
    // How far apart that lies at most which each reader cannot tell apart, rounded up.
    losses(rates) {
      const lossOf = (name) =>
        this.sums(this.each((row, group) => row[name][group]).map((move, i) => move * rates[i]));
      const losses = [],
        groups = this.hidden && this.names.length;
      if (this.columns.size)
        losses.push([groups ? words.IN_GROUP : words.VALUE, Math.max(...lossOf("change"))]);
      if (this.hidden) {
        const come = lossOf("add").sort((a, b) => b - a);
        losses.push([words.MEMBER, come[0]]);
        if (groups > 1) losses.push([words.GROUP, come[0] + come[1]]);
      }
      return losses.map(([reader, loss]) => [reader, loss * ERROR_FACTOR]);
    }
    distance(rates) {
      return Math.max(...this.losses(rates).map(([, loss]) => loss));
    }
    // The direction in which the questions share the loss alike.
    get direction() {
      return this.each(
        (row, group) =>
          row.shares.reduce((a, b) => a + b, 0) / Math.max(row.change[group], row.add[group]),
      );
    }
    readers(rates, before, already) {
      const answered = this.rows.filter(({ kind }) => kind !== "count"),
        names = answered.map(({ label, ask }) =>
          ask.query === "share" && !this.hidden ? ask.column : label.replace(/^[^:]*:/, ""),
        ),
        apart = new Set(names).size === names.length,
        exact = already === 1 && this.perPerson === 1 && apart;
      return this.losses(rates).flatMap(([reader, loss]) =>
        [{ n: 1n, d: 2n }, before]
          .filter(Boolean)
          .map((belief) => ({ ...readerAt(reader, belief, loss, already), exact })),
      );
    }
    // The sums of an answer's values in each group, cut to their limits or not.
    sumsOf({ values, limits: [low, high] }, cut = true) {
      const sums = new Float64Array(this.groups);
      for (let i = 0; i < this.records; i++)
        sums[this.codes ? this.codes[i] : 0] += cut
          ? Math.min(Math.max(values[i], low), high)
          : values[i];
      return sums;
    }
    // The exact answers, of cut values; nan of a centred sum.
    answers() {
      const answers = this.rows.map(({ kind, ask }) => {
        if (kind === "centred sum") return new Float64Array(this.groups).fill(NaN);
        if (kind === "count") return this.sizes;
        const sums = this.sumsOf(ask);
        return kind === "mean" ? sums.map((sum, group) => sum / this.sizes[group]) : sums;
      });
      return this.each((row, group) => answers[this.rows.indexOf(row)][group]);
    }
    // Each mean that a centred sum and a count make: its label, the exact mean, and its planned
    // error, to one digit.
    derived(rates) {
      const size = this.rows.length,
        sums = this.means.map(({ ask }) => this.sumsOf(ask));
      return Array.from({ length: this.groups }, (_, group) =>
        this.means.map(({ ask, row }, place) => {
          const records = this.sizes[group],
            [low, high] = ask.limits,
            answer = sums[place][group] / records,
            scales = [row, size - 1].map((i) => 1 / rates[group * size + i]);
          const error = records
            ? plannedError(records, answer - (low + high) / 2, high - low, ...scales)
            : NaN;
          const statistic = this.names.length ? `${ask.label}, ${this.names[group]}` : ask.label;
          return { statistic, answer, error: dp.oneDigit(error) };
        }),
      ).flat();
    }
    // What the limits cut of each column: values below and above them, and the answer without.
    cuts() {
      return this.asks
        .filter(({ query }) => query === "mean" || query === "sum")
        .map((ask) => {
          const [low, high] = ask.limits,
            whole = (cut) => this.sumsOf(ask, cut).reduce((a, b) => a + b, 0);
          const divisor = ask.query === "mean" ? this.records : 1;
          return {
            label: ask.label,
            below: ask.values.reduce((count, value) => count + (value < low), 0),
            above: ask.values.reduce((count, value) => count + (value > high), 0),
            cut: whole(true) / divisor,
            uncut: whole(false) / divisor,
          };
        });
    }
  }

  Object.assign(dp, { Everybody, after, readerAt, parseLimits });
})(globalThis.dpchoose);
