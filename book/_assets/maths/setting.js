// What a recommendation knows before a risk is named: data, worlds, sensitivities.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const NAMES = ["count", "sum", "mean", "median", "std", "var"];
  const [SMALLEST, LARGEST] = [1e-100, 1e100];

  // A property that is worked out when it is asked for, once.
  function once(self, name, work) {
    Object.defineProperty(self, name, {
      configurable: true,
      get() {
        const value = work();
        Object.defineProperty(self, name, { value });
        return value;
      },
    });
  }

  const asRisk = (logRisk) => Math.min(1, Math.max(Math.exp(logRisk), 2 ** -1074));
  const total = (rates, sizes) => rates.reduce((sum, rate, q) => sum + dp.exponent(rate, sizes[q]), 0);

  class Setting {
    constructor({ statistics, records, releaseSize, adjacency, scales }) {
      Object.assign(this, { statistics, records, releaseSize, adjacency, scales });
      const sorted = new Map(), inOrder = new Map();
      this.sortedOf = (values) => {
        if (!sorted.has(values)) sorted.set(values, dp.sortedColumn(values));
        return sorted.get(values);
      };
      this.inOrder = (values) => {
        if (!inOrder.has(values)) inOrder.set(values, (values ?? new Float64Array(records)).slice().sort());
        return inOrder.get(values);
      };
      once(this, "unbounded", () => this.sensitivity("unbounded"));
      once(this, "bounded", () => this.sensitivity("bounded"));
      once(this, "worlds", () => this.everyWorld());
      once(this, "around", () => this.shells());
      once(this, "prior", () => dp.priorOf(records, releaseSize));
      once(this, "amount", () => dp.amountOfWorlds(records, releaseSize));
      once(this, "table", () => dp.recordTable(statistics, records, releaseSize, this.worlds, (rates) => this.step(rates), this.bounded));
      once(this, "spread", () => (this.worlds ? this.worlds.spread : this.around.spread));
      once(this, "means", () => (this.worlds ? this.worlds.means : this.typical()));
    }

    get labels() { return this.statistics.map((one) => one.label); }
    get fresh() { return this.scales.map(Number.isNaN); }

    // An answer that is the same in every world tells nothing, and needs no noise.
    get sensitivities() {
      const { worlds, statistics } = this, told = (q) => worlds?.told?.[q % statistics.length]();
      return this[this.adjacency].map((one, q) => (this.spread[q] === 0 && told(q) ? 0 : one));
    }

    sensitivity(adjacency) {
      return this.statistics.map((one) => dp.globalSensitivity(one.query, this.inOrder(one.values), this.releaseSize, adjacency));
    }

    // All worlds; null where they can be neither counted nor listed.
    everyWorld() {
      const { statistics, records, releaseSize } = this;
      if (releaseSize === records - 1) return dp.allButOne(statistics, records, this.sortedOf);
      if (statistics.length === 1) {
        const found = dp.counted(statistics[0].query, this.inOrder(statistics[0].values), releaseSize);
        if (found !== null) return found ?? null;
      }
      return dp.listed(statistics, records, releaseSize);
    }

    shells() {
      const far = this.statistics.map((one) => {
        const u = this.inOrder(one.values), most = Math.min(this.releaseSize, this.records - this.releaseSize);
        const varies = one.query === "var" || one.query === "std";
        if (varies && most > 1) return null;
        const found = varies ? [this.bounded[this.statistics.indexOf(one)]] : dp.boundedByDistance(one.query, u, this.releaseSize);
        return prefixed(found);
      });
      if (far.includes(null)) {
        if (!this.worlds) throw dp.refusal(`The variance of ${this.releaseSize} of ${this.records} records`);
        return null;
      }
      return new dp.Shells(far, this.releaseSize, this.records);
    }

    // The answers to all records; of a sum or a count a share of them.
    typical() {
      return this.statistics.map((one) => {
        const { full } = dp.withoutEach(one.query, this.sortedOf(one.values ?? new Float64Array(this.records)));
        return one.query === "sum" || one.query === "count" ? (this.releaseSize / this.records) * full : full;
      });
    }

    // The logarithm of the odds against a world.
    get logOdds() {
      if (this.prior.n) return Math.log(Number(this.prior.d - 1n));
      return dp.log10Count(this.records, this.releaseSize) * Math.LN10;
    }

    // Without noise only ties keep a secret: refuse to call answers equal that floats do not tell apart.
    refuseUntold(risk, secret) {
      const { records, releaseSize, statistics, spread } = this;
      const asWorld = secret === "world" || releaseSize === { absent: records - 1, present: 1 }[secret];
      if (asWorld && this.worlds?.apart && dp.compare(this.worlds.apart, risk) <= 0) return;
      statistics.forEach((one, q) => {
        const told = this.worlds?.told?.[q]() ?? false; // without one record, ties are found in whole numbers
        const varies = spread.some((width, i) => width > 0 && i % statistics.length === q);
        if (!told && this.fresh[q] && varies && !dp.isTold(one, releaseSize)) {
          throw new Error(`whether ${one.label} may be published exactly is a matter of its last digits: ask dpchoose epsilon, or take a smaller risk`);
        }
      });
    }

    farthest(rates) {
      return this.worlds ? this.worlds.decay.diameter(this.worlds.scaled(rates)) : total(rates, this.spread);
    }

    step(rates) { return total(rates, this.bounded); }
    unboundedTotal(rates) { return total(rates, this.unbounded); }
    total(epsilons) { return epsilons.reduce((sum, one) => sum + one, 0); }

    worldRisk(rates) {
      if (!this.worlds) return asRisk(this.around.curve(rates).logRisk(1));
      const { apart } = this.worlds, risk = Math.min(1, this.worlds.largest(rates).risk * Math.exp(this.worlds.lost(rates)));
      const told = !apart || rates[0] < Infinity || dp.isTold(this.statistics[0], this.releaseSize);
      return told ? risk : Math.max(risk, dp.quotient(apart.n, apart.d));
    }

    average(rates) {
      if (!this.worlds || this.statistics.length > 1) return NaN;
      this.guesses ??= new dp.Average(this.worlds);
      return Math.min(1, this.guesses.at(rates[0]).risk);
    }

    // The ray of equal epsilons, or with these weights of the new answers; in groups for each.
    ray(weights = null) {
      const ray = dp.rayOf(this.sensitivities, this.scales);
      if (!weights) return ray;
      let next = 0;
      return ray.towards(this.fresh.map((fresh) => (fresh ? weights[next++ % weights.length] : 0)));
    }

    worldCurve(ray, risk) {
      return this.worlds ? new dp.Tight(this.worlds, risk, ray.base, ray.direction) : this.shellCurve(ray);
    }

    shellCurve(ray) {
      return this.around && this.around.curve(ray.direction, this.around.along(ray.base));
    }

    // Who is missing, or there, alone is one world, whose ties are counted exactly.
    recordCurve(ray, secret, risk) {
      if (this.worlds && this.releaseSize === { absent: this.records - 1, present: 1 }[secret]) return this.worldCurve(ray, risk);
      const share = dp.fraction(BigInt(this.releaseSize), BigInt(this.records));
      const prior = secret === "present" ? share : { n: share.d - share.n, d: share.d };
      return new dp.OneRecord((rates) => this.table.look(rates, secret), prior, ray.base, ray.direction);
    }

    // Every bound on the risk of a world along a ray; null where it is not known.
    bounds(ray, risk) {
      const farthest = (rates) => [0, this.farthest(rates)], upper = dp.upperCurve(this.prior, this.farthest(ray.direction), this.logOdds);
      const one = this.worlds instanceof dp.Worlds && this.statistics.length === 1;
      return {
        tight: this.worlds ? this.worldCurve(ray, risk) : null,
        shell: this.shellCurve(ray),
        upper: ray.base.some((one) => one > 0)
          ? new dp.Around(farthest, upper.logs, this.prior, upper.limit, ray.base, ray.direction) : upper,
        average: one ? new dp.Average(this.worlds, ray.direction[0]) : null,
      };
    }

    // The total epsilon for which no mechanism discloses more; NaN where none does.
    anyMechanism(risk) {
      const few = Math.min(this.releaseSize, this.records - this.releaseSize);
      const steps = this.adjacency === "bounded" ? few : 2 * few;
      const logOdds = this.logOdds + Math.log(dp.quotient(risk.n, risk.d - risk.n));
      return logOdds > 0 ? (logOdds * (1 - 1e-12)) / steps : NaN;
    }
  }

  function prefixed(found) {
    const all = new Float64Array(found.length + 1);
    all.set(found, 1);
    return all;
  }

  // A statistic as it is asked for, with its name.
  function statisticOf({ query, column = null, values = null, scale = NaN }) {
    if (!NAMES.includes(query) && (typeof query !== "string" || dp.percentileRank(query) === null)) {
      throw new Error(`query must be one of ${NAMES.join(", ")}, percentile_p, got ${dp.short(String(query))}`);
    }
    if (query === "count") return { query, label: "count", values: null, scale };
    const name = column === null ? "universe" : `column ${column}`;
    if (values.length < 2) throw new Error(`${name} must hold at least 2 records, got ${values.length}`);
    values.forEach((value, place) => {
      const size = Math.abs(value);
      if (!Number.isFinite(value)) throw new Error(`${name} must be finite, got ${dp.written(value)} at position ${place}`);
      if (size > LARGEST || (size < SMALLEST && size > 0)) {
        throw new Error(`${name} must hold 0 or numbers from 1e-100 to 1e100 in size, got ${dp.written(value)} at position ${place}`);
      }
    });
    return { query, label: column === null ? query : `${query}:${column}`, values, scale };
  }

  // Arguments checked, and what does not depend on the risk prepared: see recommend.js.
  function prepare({ statistics, records = null, releaseSize = null, adjacency = "unbounded", by = null, already = [] }) {
    if (!statistics.length) throw new Error("query must name at least one statistic, got []");
    const floats = new Map(); // columns that are asked twice stay one
    const held = (one) => {
      if (one.values && !floats.has(one.values)) floats.set(one.values, Float64Array.from(one.values));
      return statisticOf({ ...one, values: one.values ? floats.get(one.values) : null });
    };
    const fresh = statistics.map((one) => held({ ...one, scale: NaN }));
    fresh.forEach((one, i) => {
      if (fresh.findIndex((other) => other.label === one.label) < i) {
        throw new Error(`query must name each statistic once, got '${one.label}' twice`);
      }
    });
    const out = already.map(held);
    for (const { label, scale } of out) {
      if (scale === 0) {
        throw new Error(`already must give ${label} a scale in (0, inf), got 0: it was published exactly, ` +
          "and what it gives away no noise on another answer takes back");
      }
      if (!(scale > 0 && scale < Infinity)) throw new Error(`already: the scale of ${label} must lie in (0, inf), got ${dp.written(scale)}`);
    }
    const every = [...fresh, ...out], known = every.find((one) => one.values)?.values.length ?? records;
    const size = releaseSize ?? known - 1;
    if (!Number.isInteger(size)) throw new Error(`release_size must be an integer, got ${size}`);
    if (size < 1 || size > known - 1) throw new Error(`release_size must be in [1, ${known - 1}], got ${size}`);
    const about = { statistics: every, records: known, releaseSize: size, adjacency, scales: every.map((one) => one.scale) };
    for (const { query, values } of every) {
      if (values && (size < known - 1 || query === "var" || query === "std")) dp.refuseTooFarApart(values);
    }
    return by ? new dp.Grouped({ ...about, by }) : new Setting(about);
  }

  return { once, asRisk, Setting, prepare };
});
