// Everybody is in the file: all rows are released, and of each answered value only public limits are known, to which it is
// cut. Closed forms, of which dpchoose/epsilon/everybody.py has the reasons; rates are those of group after group, in each
// row after row. No rate depends on a value of the file.
dpchoose.part((dp) => {
  "use strict";
  const VALUE = "asks which of two records a person has", IN_GROUP = `${VALUE}, in a known group`;
  const MEMBER = "asks whether a person is in", GROUP = "asks in which of two groups a person is";
  const HIDDEN = ["sum", "count", "mean", "share"], PUBLIC = ["sum", "mean", "share"], SMALL = 100;
  // A quotient or a difference that is no less than what it stands for; whole numbers are exact.
  const up = (value, ...of) => ([value, ...of].every(Number.isInteger) && Math.abs(value) < 2 ** 53 ? value : value * (1 + 2 ** -52));
  // How far one record moves an answer: when it is changed, and when it comes or goes; n is null where it is hidden.
  function limitsSensitivity(kind, [low, high], n) {
    const wide = up(high - low, low, high);
    if (kind === "count") return [0, 1];
    if (n !== null) return [kind === "sum" ? wide : up(wide / n, wide, n), NaN];
    return [wide, kind === "sum" ? Math.max(Math.abs(low), Math.abs(high)) : wide / 2];
  }
  // The limits of a column as numbers, from two texts.
  function parseLimits(column, [low, high]) {
    const [a, b] = [low, high].map((text) => dp.float(dp.parseNumber(text, `limits of ${column}`)));
    if (!(a < b)) dp.refuse(`limits of ${column} must be a low number and a higher one, got ${low} and ${high}`);
    return [a, b];
  }
  // How often Laplace noise of scale a exceeds another of scale b by z.
  function exceeds(z, a, b) {
    if (b < 1e-9 * a) return Math.exp(-z / a) / 2;
    if (Math.abs(a - b) < 1e-6 * a) return ((2 + z / a) * Math.exp(-z / a)) / 4;
    return (a * a * Math.exp(-z / a) - b * b * Math.exp(-z / b)) / (2 * (a * a - b * b));
  }
  // The error that c + S/C exceeds 5 times in 100, S and C with Laplace noise, of n records whose mean is `off` from c.
  function plannedError(size, off, wide, ofSum, ofCount) {
    let low = 0, high = wide;
    for (let i = 0; i < 60; i++) {
      const x = (low + high) / 2, side = (s) => exceeds(x * size, ofSum, Math.abs(off + s * x) * ofCount);
      if (side(1) + side(-1) > 0.05) low = x;
      else high = x;
    }
    return high;
  }

  class Everybody {
    // `asks` and `out`: { label, query, column, values, limits, scale }; codes of groups, or null; their names.
    constructor({ asks, out = [], hidden = false, codes = null, names = [] }) {
      const count = names.length || 1, rows = [], means = [];
      for (const { query, label } of asks) {
        if ((hidden ? HIDDEN : PUBLIC).includes(query)) continue;
        if (query === "count") dp.refuse("a count must come with a hidden number of rows: where it is public, it is that number", { name: "hide", choices: [true] });
        dp.refuse(`${label} can move far even where hardly a record changes: where everybody is in the file ask for a mean, a sum or a share`);
      }
      Object.assign(this, { asks, hidden, names, groups: count, codes, records: asks[0].size, rows, means });
      this.sizes = new Float64Array(count);
      for (let i = 0; i < this.records; i++) this.sizes[codes ? codes[i] : 0]++;
      if (!hidden && this.sizes.some((size) => !size)) dp.refuse("every group must hold a record");
      const add = (kind, one, part, scale = NaN) => {
        const label = kind === "centred sum" ? `centred sum:${one.label.slice(one.label.indexOf(":") + 1)}` : kind === "count" ? "count" : one.label;
        const moved = Array.from(this.sizes, (size) => limitsSensitivity(kind, one.limits ?? [0, 1], hidden ? null : size));
        rows.push({ kind, label, one, part, scale, change: moved.map(([a]) => a), add: moved.map(([a, b]) => (Number.isNaN(b) ? a : b)) });
      };
      const unit = (i, share) => asks.map((_, j) => (i === j ? share : 0)), ofCount = asks.map(() => 0);
      asks.forEach((one, i) => {
        if (one.query === "count") ofCount[i] = 1;
        else if (one.query !== "sum" && hidden) {
          ofCount[i] = 0.5;
          means.push({ one, row: rows.length });
          add("centred sum", one, unit(i, 1));
        } else add(one.query === "sum" ? "sum" : "mean", one, unit(i, 1));
      });
      if (ofCount.some(Boolean)) add("count", asks[0], ofCount);
      for (const one of out) add(one.query === "share" ? "mean" : one.query, one, unit(-1, 0), one.scale);
      this.columns = new Map([...asks, ...out].filter((one) => one.query !== "count").map((one) => [one.label.slice(one.label.indexOf(":") + 1), one.limits]));
    }
    inGroups(called) { return this.names.length ? this.names.flatMap((name) => called.map((label) => `${label}, ${name}`)) : called; }
    // Something of each row of each group, in the order of the rates.
    each(what) { return Array.from({ length: this.groups }, (_, group) => this.rows.map((row) => what(row, group))).flat(); }
    get fresh() { return this.each((row) => Number.isNaN(row.scale)); }
    get labels() { return this.inGroups(this.rows.filter((row) => Number.isNaN(row.scale)).map((row) => row.label)); }
    get sensitivities() { return this.each((row, group) => (this.hidden ? row.add : row.change)[group]); }
    get telling() { return true; }
    total(epsilons) { return Math.max(...this.sums(epsilons)); }
    // The sum of the rows of each group.
    sums(values) {
      const many = this.rows.length;
      return Array.from({ length: this.groups }, (_, group) => values.slice(group * many, (group + 1) * many).reduce((a, b) => a + b, 0));
    }
    // What each reader cannot tell apart lies so far apart at most, rounded up.
    distances(rates) {
      const moved = (name) => this.sums(this.each((row, group) => row[name][group]).map((move, i) => (move ? move * rates[i] : 0)));
      const changed = moved("change"), added = moved("add").sort((a, b) => b - a);
      const found = this.columns.size ? [[this.hidden && this.names.length ? IN_GROUP : VALUE, Math.max(...changed)]] : [];
      if (this.hidden) found.push([MEMBER, added[0]]);
      if (this.hidden && this.names.length > 1) found.push([GROUP, added[0] + added[1]]);
      return found.map(([reader, far]) => [reader, far * dp.ROUNDED]);
    }
    distance(rates) { return Math.max(...this.distances(rates).map(([, far]) => far)); }
    base() { return this.each((row) => (Number.isNaN(row.scale) ? 0 : 1 / row.scale)); }
    // The direction in which the questions share the distance as their weights.
    direction(weights) {
      return this.each((row, group) => (Number.isNaN(row.scale)
        ? row.part.reduce((sum, part, i) => sum + part * (weights?.[i] ?? 1), 0) / Math.max(row.change[group], row.add[group]) : 0));
    }
    // The rates, as far along a direction as the distance is kept; null where what is out exceeds it.
    along(distance, direction) {
      const base = this.base(), at = (far) => base.map((rate, i) => rate + far * direction[i]);
      let low = 0, high = distance / this.distance(direction);
      if (!base.some(Boolean)) return at(high * (1 - 2 ** -40));
      if (this.distance(base) >= distance * (1 - 1e-3)) return null;
      for (let i = 0; i < 60; i++) {
        const middle = (low + high) / 2;
        if (this.distance(at(middle)) <= distance) low = middle;
        else high = middle;
      }
      return at(low * (1 - 1e-9));
    }
    kept({ goal, exact, before, said }, weights) {
      if (goal === "risk" && !before) dp.refuse("a risk must come with how sure she was before, where everybody is in the file");
      const rates = this.along(dp.accepted(goal, exact, before), this.direction(weights));
      return rates ? { status: "ok", reason: "", rates } : { status: "nothing left", reason: `what is out already leaves nothing of ${said}`, rates };
    }
    readers(rates, before) {
      const even = { n: 1n, d: 2n }, columns = [...this.columns.keys()].map((name) => name.split("=")[0]);
      const exact = new Set(columns).size === columns.length;
      return this.distances(rates).flatMap(([reader, far]) =>
        [even, before].filter(Boolean).map((belief) => ({ ...dp.grown(reader, belief, far), exact })));
    }
    nobody() { return null; }
    // The exact answers, of cut values; nan of a centred sum.
    answers() {
      const found = this.rows.map(({ kind, one }) => {
        const sums = new Float64Array(this.groups);
        if (kind === "centred sum") return sums.fill(NaN);
        if (kind === "count") return this.sizes;
        for (let i = 0; i < this.records; i++) sums[this.codes ? this.codes[i] : 0] += Math.min(Math.max(one.values[i], one.limits[0]), one.limits[1]);
        return kind === "mean" ? sums.map((sum, group) => sum / this.sizes[group]) : sums;
      });
      return this.each((row, group) => found[this.rows.indexOf(row)][group]);
    }
    // Each mean that a centred sum and a count make: its label, the exact one, and its planned error, to one digit.
    derived(rates) {
      const many = this.rows.length, count = this.rows.findIndex((row) => row.kind === "count" && Number.isNaN(row.scale)), found = [];
      const sums = this.means.map(({ one }) => {
        const total = new Float64Array(this.groups);
        for (let i = 0; i < this.records; i++) total[this.codes ? this.codes[i] : 0] += Math.min(Math.max(one.values[i], one.limits[0]), one.limits[1]);
        return total;
      });
      for (let group = 0; group < this.groups; group++) {
        this.means.forEach(({ one, row }, i) => {
          const size = this.sizes[group], [low, high] = one.limits, mean = sums[i][group] / size;
          const statistic = this.names.length ? `${one.label}, ${this.names[group]}` : one.label;
          const error = size ? plannedError(size, mean - (low + high) / 2, high - low, 1 / rates[group * many + row], 1 / rates[group * many + count]) : NaN;
          found.push({ statistic, answer: mean, error: dp.oneDigit(error) });
        });
      }
      return found;
    }
    get about() {
      const names = [...new Set([...this.columns.keys()].map((name) => name.split("=")[0]))];
      const being = this.hidden ? `whether one person is in${this.names.length ? " and in which group" : ""}` : "";
      return [names.length ? `one person's ${names.join(" and ")}` : "", being].filter(Boolean).join(", or ");
    }
    sentences(_, asked, how) {
      const { hidden } = this, whole = hidden ? "all records" : `all ${dp.grouped(this.records)} records`;
      const cuts = [...this.columns].filter(([name]) => !name.includes("=")).map(([name, [low, high]]) => `${name} cut to ${dp.written(low)} to ${dp.written(high)}`);
      const rest = hidden ? "the rest, their number included, independent of whether she is in and of her record" : "the rest independent of her record";
      return [
        `${asked} of ${whole}${cuts.length ? `, ${cuts.join(", ")},` : ""} ${how}.`,
        `This holds for whoever knows the others, all or some, and holds ${rest}; for k people who stand or fall together the factor is its k-th power at most.`,
        hidden
          ? "To be in is to be in the rows that are counted: what a condition or a missing value tells of her is protected with it." +
            (this.means.length ? " A mean is the noisy centred sum over the noisy count, plus the middle of the limits." : "")
          : `That she is in the file is not protected (for that: hide n), nor is ${this.names.length ? "her group, " : ""}whether she meets a condition, ` +
            "or which of her values are missing.",
        `Scale, epsilon and factor may be published with the answers; never ${hidden ? "n, the size of a group, the" : "the"} exact answer, how many values ` +
          `the limits cut, or an error in per cent.${cuts.length ? " Limits that were chosen by looking at this file make the promise void." : ""}`,
      ];
    }
    advice(factor) {
      const said = ["Half the limits, half the error; k answers together, k times the error of one."];
      if (factor > 1 && factor < 1e3) said.push(`Half of every error also comes with a weaker promise: factor ${dp.factor(factor * factor)}.`);
      if (this.names.length) said.push("Two groups of a size merged, half the error. What holds of all groups together is no further answer: add their noisy sums, weight their noisy means by size.");
      if (this.hidden) said.push("A public n makes errors smaller, and no longer protects being in.");
      else if (this.names.length && this.sizes.some((size) => size < SMALL)) said.push("To be in a small group may itself tell: hide n, with at least twice the error.");
      return said;
    }
  }

  return { Everybody, limitsSensitivity, parseLimits, plannedError };
});
