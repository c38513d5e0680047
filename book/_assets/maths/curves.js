// The risks of worlds and of one record along a ray of rates, and the ray itself: epsilons that grow together.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const SHAVED = 1 - 2 ** -50; // so that epsilon / sensitivity, rounded, is no more than the rate
  const ONE = { n: 1n, d: 1n };

  const reached = (base, direction, rate) => base.map((one, q) => one + dp.exponent(rate, direction[q]));
  const bared = (base, direction) => base.map((one, q) => (direction[q] > 0 ? Infinity : one));
  const floatShare = (logRisk) => (logRisk >= 0 ? ONE : dp.asFraction(Math.exp(logRisk)));

  // Rates that grow together, beside those of answers that are out already.
  class Ray {
    constructor(base, direction, sensitivities) {
      Object.assign(this, { base, direction, sensitivities });
    }

    rates(along) {
      return reached(this.base, this.direction, along);
    }

    // The epsilons of these rates, never more than they are.
    epsilons(along) {
      return this.rates(along).map((rate, q) => {
        if (this.sensitivities[q] === 0) return 0;
        const free = this.direction[q] > 0 || this.base[q] === Infinity;
        return along === Infinity && free ? Infinity : rate * this.sensitivities[q] * SHAVED;
      });
    }

    towards(weights) {
      const direction = this.base.map((one, q) => (one === 0 ? weights[q] / this.sensitivities[q] : 0));
      return new Ray(this.base, direction, this.sensitivities);
    }
  }

  // The ray of equal epsilons; scales of answers that are out, NaN for new ones. What cannot move needs no noise.
  function rayOf(sensitivities, scales) {
    const base = sensitivities.map((delta, q) => (Number.isNaN(scales[q]) ? (delta === 0 ? Infinity : 0) : 1 / scales[q]));
    return new Ray(base, [], sensitivities).towards(sensitivities.map(() => 1));
  }

  // The tight bound of any number of answers.
  class Tight {
    constructor(worlds, risk, base, direction) {
      Object.assign(this, { worlds, base, direction, among: worlds.growing(risk) });
      this.logs = Float64Array.from(worlds.counts, Number);
      for (let i = 0; i < this.logs.length; i++) this.logs[i] = Math.log(this.logs[i]);
      this.bare = bared(base, direction);
    }

    at(rates) {
      const { logRisk, row } = this.worlds.largest(rates, this.among);
      return { logRisk, row, error: this.worlds.logError(rates) };
    }

    get prior() {
      if (!this.base.some((one, q) => one > 0 && this.worlds.spread[q] > 0)) return this.worlds.largestPrior;
      const { logRisk, error } = this.at(this.base);
      return floatShare(logRisk - error);
    }

    get limit() {
      if (this.bare.every((one) => one === Infinity)) return this.worlds.largestShare;
      const { logRisk, error } = this.at(this.bare);
      return floatShare(logRisk + error);
    }

    start(goal) {
      const farthest = this.worlds.decay.diameter(this.worlds.scaled(this.direction));
      return dp.upperCurve(this.worlds.largestPrior, farthest).start(goal);
    }

    look(rate, goal) {
      const { logRisk, row, error } = this.at(reached(this.base, this.direction, rate));
      const away = (rates) => this.worlds.decay.distances(row, this.worlds.scaled(rates));
      let logs = this.logs;
      if (this.base.some((one) => one > 0)) {
        const based = away(this.base);
        logs = logs.map((one, i) => one - based[i]);
      }
      // a row's own term is at least 1, so that nothing underflows
      const top = this.worlds.unit === 1 ? 0 : null;
      return { logRisk, logError: error, root: dp.rootOf(away(this.direction), logs, error - goal, rate, top) };
    }
  }

  // How often the best guess is right, for one answer and equally likely worlds.
  class Average {
    constructor(worlds, direction = 1) {
      Object.assign(this, { worlds, direction, prior: worlds.largestPrior });
      this.limit = dp.fraction(BigInt(worlds.counts.length), worlds.total);
      const sorted = worlds.columns[0].slice().sort();
      this.gaps = sorted.subarray(1).map((value, i) => (value - sorted[i]) * worlds.factors[0]);
    }

    at(rate) {
      const total = Number(this.worlds.total), { gaps } = this;
      let whole = 1, tail = 0, slope = 0, fuzzy = 0;
      for (let i = 0; i < gaps.length; i++) {
        const term = -Math.expm1(-dp.exponent(rate / 2, gaps[i])), next = whole + term;
        tail += whole - next + term;
        whole = next;
        slope += (1 - term) * gaps[i];
        fuzzy += 1 - term;
      }
      const off = fuzzy && 2 * rate * this.worlds.factors[0] * this.worlds.offs[0] * fuzzy;
      const risk = (whole + tail) / total;
      const careful = 8 * dp.UNIT * (40 + Math.log(total)) * (1 + (gaps.length + 1) / total / risk);
      return { risk, slope: slope / total / 2, error: careful + Math.min(off, 1) / total / risk };
    }

    start() {
      return this.worlds.counts.length / (this.worlds.spread[0] * this.direction);
    }

    look(rate, goal) {
      const { risk, slope, error } = this.at(rate * this.direction);
      const root = slope > 0 ? rate + (Math.exp(goal) - risk) / (slope * this.direction) : NaN;
      return { logRisk: Math.log(risk), logError: error, root };
    }
  }

  // The logarithm of a probability from that of its odds.
  const logShare = (logOdds) => (logOdds > 0 ? -Math.log1p(Math.exp(-logOdds)) : logOdds - Math.log1p(Math.exp(logOdds)));

  // The largest posterior that a record is in, or out: `lookUp(rates)` gives the logarithm of its odds and slopes.
  class OneRecord {
    constructor(lookUp, prior, base, direction) {
      Object.assign(this, { lookUp, prior, base, direction });
    }

    get limit() {
      const most = Math.exp(logShare(this.lookUp(bared(this.base, this.direction)).logOdds)) * (1 + 8 * dp.UNIT);
      return most < 1 ? dp.asFraction(most) : ONE;
    }

    start() {
      return 1; // an epsilon, whatever the unit of the data
    }

    look(rate, goal) {
      const { logOdds, slopes } = this.lookUp(reached(this.base, this.direction, rate));
      const slope = slopes.reduce((sum, one, q) => sum + one * this.direction[q], 0);
      const accepted = goal - Math.log1p(-Math.exp(goal));
      const root = slope > 0 && Number.isFinite(logOdds) ? rate + (accepted - logOdds) / slope : NaN;
      return { logRisk: logShare(logOdds), logError: 8 * dp.UNIT, root };
    }
  }

  return { reached, Ray, rayOf, Tight, Average, OneRecord };
});
