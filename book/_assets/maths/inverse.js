// From a risk to the rate that keeps it: the one inversion of every bound.
//
// A curve is a risk as a function of one number, the rate along a ray. It never falls, and has `prior` and `limit`
// (fractions: the risk at rate 0, exact or less, and that without noise, exact or more), `start(goal)`, a rate to
// begin with, and `look(rate, goal)`: { logRisk, logError, root }. A rate is safe when the risk in floats, with
// the proved bound on its error, does not exceed the accepted one; what is returned has been found safe.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const LEAST_GAP = 2 ** -50, MOST_GAP = 2 ** -32; // relative, from what is returned to the solution
  const NEAR = 2 ** -20, ROOT = 2 ** -43, LOOKS = 400;
  const LOWEST = 1e-280, HIGHEST = 1e280;
  const COARSE = 4096; // terms of a sum that is looked at first

  // The largest rate at which a curve is at most the accepted risk; 0 where none is, Infinity where each is.
  function largestRate(curve, risk) {
    if (dp.compare(curve.limit, risk) <= 0) return Infinity;
    if (dp.compare(curve.prior, risk) > 0) return 0;
    let goal = dp.log(risk);
    goal -= 4 * dp.UNIT * (1 + Math.abs(goal)); // for the rounding of the logarithm
    let low = 0, high = Infinity, step = LEAST_GAP, rate = curve.start(goal);
    if (!(rate < HIGHEST)) rate = curve.start(goal - NEAR); // too near the limit to tell in floats
    for (let looks = 0; looks < LOOKS && rate > LOWEST && rate < HIGHEST; looks++) {
      const seen = curve.look(rate, goal);
      const gap = Math.min(Math.max(LEAST_GAP, seen.logError / 8), MOST_GAP);
      step = Math.max(step, gap);
      const safe = seen.logRisk + seen.logError <= goal;
      if (safe) {
        low = rate;
        if (rate >= seen.root * (1 - 2 * gap)) break;
      } else {
        high = rate;
      }
      if (high < Infinity && high - low <= 4 * step * high) break;
      const aim = seen.root * (1 - gap);
      if (!safe && seen.root >= high * (1 - 16 * step - ROOT)) { // here, within the error
        step *= 4;
        rate = Math.max(high * (1 - step), low / 2 + high / 2);
      } else if (low < aim && aim < high) {
        rate = aim;
      } else {
        rate = high === Infinity ? 4 * low : Math.max(Math.sqrt(low) * Math.sqrt(high), high / 16);
      }
    }
    for (let looks = 0; looks < LOOKS && low > 0 && high < Infinity && high > low * (1 + MOST_GAP); looks++) { // it gave up too soon
      rate = Math.max(low / 2 + high / 2, Math.min(high / 16, 16 * low));
      const seen = curve.look(rate, goal);
      if (seen.logRisk + seen.logError <= goal) low = rate;
      else high = rate;
    }
    return low;
  }

  // The logarithm of sum_k exp(l_k - t d_k), and its slope in t. `top` is about the largest exponent, null to look for it.
  function logSum(distances, logs, rate, top = null) {
    const size = logs.length;
    if (top === null) {
      top = -Infinity;
      for (let k = 0; k < size; k++) {
        const one = logs[k] - (distances[k] === 0 ? 0 : rate * distances[k]);
        if (one > top) top = one;
      }
    }
    let whole = 0, tail = 0, moment = 0;
    for (let k = 0; k < size; k++) {
      const away = distances[k], power = logs[k] - (away === 0 ? 0 : rate * away) - top;
      if (!(power > -746)) continue;
      const term = Math.exp(power), next = whole + term;
      tail += whole >= term ? whole - next + term : term - next + whole;
      whole = next;
      moment += term * away;
    }
    whole += tail;
    return { value: top + Math.log(whole), slope: moment / whole };
  }

  // The rate at which the logarithm of sum_j exp(l_j - t d_j) falls to the goal: Newton, which stays on its left.
  function rootOf(distances, logs, goal, begin, top = null) {
    let rate = begin;
    const stride = Math.floor(distances.length / COARSE);
    if (stride > 1) { // every so many stand for all, to begin with
      const some = Math.ceil(distances.length / stride), fewer = new Float64Array(some), fewerLogs = new Float64Array(some);
      const more = Math.log(stride);
      for (let i = 0; i < some; i++) [fewer[i], fewerLogs[i]] = [distances[i * stride], logs[i * stride] + more];
      const coarse = rootOf(fewer, fewerLogs, goal, rate);
      if (coarse < HIGHEST) rate = coarse;
    }
    for (let steps = 0; steps < 200; steps++) {
      const { value, slope } = logSum(distances, logs, rate, top);
      if (slope === 0) return value > goal ? Infinity : rate;
      const step = (value - goal) / slope;
      rate = rate + step > 0 ? rate + step : rate / 4;
      if (Math.abs(step) <= 1e-9 * rate) break; // the next would be its square
      if (rate > HIGHEST) return Infinity;
    }
    return rate;
  }

  // One world with others around it, 1 / sum_k exp(l_k - t d_k): the upper bound and the shell bound.
  class Exponentials {
    constructor(distances, logs, prior, limit, logError = 0) {
      Object.assign(this, { distances, logs, prior, limit, logError });
    }

    start(goal) {
      return rootOf(this.distances, this.logs, -goal, 0);
    }

    logRisk(rate) {
      return -logSum(this.distances, this.logs, rate).value;
    }

    look(rate, goal) {
      const logRisk = this.logRisk(rate);
      let off = 0;
      for (let k = 0; k < this.logs.length; k++) { // what a term is off weighs as much as the term
        const away = dp.exponent(rate, this.distances[k]), share = Math.exp(this.logs[k] - away + logRisk);
        const size = Math.abs(this.logs[k]) + away;
        if (share > 0) off += share * (64 * dp.UNIT * size + (size > 0 ? this.logError : 0));
      }
      const logError = off + dp.UNIT * (8 + Math.min(this.logs.length, 40) + 4 * Math.abs(logRisk));
      return { logRisk, logError, root: rootOf(this.distances, this.logs, logError - goal, rate) };
    }
  }

  // The same where distances are a function of the rates base + rate * direction.
  class Around {
    constructor(distances, logs, prior, limit, base, direction, logError = 0) {
      Object.assign(this, { distances, logs, prior, limit, base, direction, logError });
    }

    at(rates) {
      return new Exponentials(this.distances(rates), this.logs, this.prior, this.limit, this.logError);
    }

    start(goal) {
      return this.at(this.direction).start(goal);
    }

    look(rate, goal) {
      const rates = this.base.map((one, q) => one + dp.exponent(this.direction[q], rate));
      return { ...this.at(rates).look(1, goal), root: NaN };
    }
  }

  // The upper bound for a largest prior and the largest distance of two worlds.
  function upperCurve(prior, distance, logOdds = null) {
    if (prior.n === prior.d) return new Exponentials([0], [0], prior, prior);
    const odds = logOdds ?? dp.log({ n: prior.d - prior.n, d: prior.n });
    const limit = distance > 0 ? { n: 1n, d: 1n } : prior;
    return new Exponentials([0, distance], [0, odds], prior, limit);
  }

  return { HIGHEST, largestRate, logSum, rootOf, Exponentials, Around, upperCurve };
});
