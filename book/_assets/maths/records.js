// The risk of one record: the largest posterior, over all outputs, that it is in, and that it is out. Each table
// has `exact`, `look(rates, secret)`: the logarithm of the largest odds, never too small, and its slopes by each
// rate, and `posteriors(rates)`: { present, absent } of each record. The proofs stand in dpchoose/risk/record.py.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const fromLogOdds = (odds) => 1 / (1 + Math.exp(-odds));

  // Of the record bound: no worlds are listed, and all records have one bound.
  class BoundedRecords {
    constructor(step, slopes, releaseSize, records) {
      Object.assign(this, { step, slopes, releaseSize, records, exact: false });
    }

    look(rates, secret) {
      const step = this.step(rates) * (1 + 64 * dp.UNIT);
      const prior = Math.log(this.releaseSize / (this.records - this.releaseSize));
      if (step === Infinity) return { logOdds: step, slopes: this.slopes };
      const more = 4 * dp.UNIT * (1 + Math.abs(prior) + step) + 2 ** -1022;
      return { logOdds: step + (secret === "present" ? prior : -prior) + more, slopes: this.slopes };
    }
  }

  // Each record has one world of its own: the one without it (n = N - 1), or that with it alone (n = 1). What is
  // true in that world alone is likeliest at its own answer; the other is at a corner of the answers' box.
  class LoneWorlds {
    constructor(worlds, secret) {
      Object.assign(this, { worlds, secret, exact: true });
    }

    look(rates, secret) {
      if (secret === this.secret) {
        const { logRisk, row } = this.worlds.largest(rates), size = this.worlds.counts.length, several = rates.length;
        const theirs = 2 * (several > 1 ? dp.careful.rows(size, several) : dp.careful.along(size));
        const risk = Math.exp(logRisk + Math.max(this.worlds.logError(rates), theirs));
        if (!(risk < 1)) return { logOdds: Infinity, slopes: rates.map(() => NaN) };
        const alone = this.worlds.counts.map((_, i) => (i === row ? 1 : 0));
        const rest = this.worlds.counts.map((count, i) => Number(count) - alone[i]);
        const output = this.worlds.columns.map((column) => column[row]);
        return { logOdds: Math.log(risk) - Math.log1p(-risk), slopes: slopesAt(this.worlds, alone, rest, output, rates) };
      }
      let most = null;
      for (const corner of this.corners(rates)) {
        let row = 0;
        for (let i = 0; i < corner.away.length; i++) if (corner.away[i] > corner.away[row]) row = i;
        const inverse = corner.away[row] - corner.nearest + corner.logSum;
        if (!most || inverse > most.inverse) most = { inverse, row, ...corner };
      }
      const { inverse, row, corner, moments } = most, odds = inverse + Math.log1p(-Math.exp(-inverse));
      const slopes = rates.map((_, q) => {
        const gap = this.worlds.factors[q] * Math.abs(this.worlds.columns[q][row] - corner[q]);
        return (gap - moments[q]) / -Math.expm1(-inverse);
      });
      return { logOdds: odds + this.cornerError(rates), slopes };
    }

    cornerError(rates) {
      let widest = Math.log(Number(this.worlds.total)), off = 0;
      rates.forEach((rate, q) => {
        const away = dp.exponent(rate, this.worlds.spread[q]);
        if (away < Infinity) widest += away;
        if (rate < Infinity) off += 4 * rate * this.worlds.factors[q] * this.worlds.offs[q];
      });
      return 2 * (2 * (rates.length + 6) * (widest + 1) + 1024) * dp.UNIT + off;
    }

    // At each corner: how far each answer is away, the nearest of them, the logarithm of the sum of all likelihoods
    // over that of the nearest, and the mean distances.
    *corners(rates) {
      const { columns, factors, counts, spread } = this.worlds, size = counts.length;
      const ends = columns.map((column) => {
        let low = Infinity, high = -Infinity;
        for (const value of column) { low = Math.min(low, value); high = Math.max(high, value); }
        return [low, high];
      });
      const real = ends.map(([low, high], q) => (high > low ? q : -1)).filter((q) => q >= 0);
      const sharp = rates.some((rate, q) => rate === Infinity && spread[q] > 0); // rules each other world out
      for (let pattern = 0; pattern < 2 ** real.length; pattern++) {
        const corner = ends.map(([low]) => low), away = new Float64Array(size);
        real.forEach((q, bit) => { corner[q] = ends[q][(pattern >> bit) & 1]; });
        for (const q of real) {
          const column = columns[q], rate = rates[q] * factors[q], here = corner[q];
          for (let i = 0; i < size; i++) away[i] += dp.exponent(rate, Math.abs(column[i] - here));
        }
        const nearest = away.reduce((a, b) => Math.min(a, b), Infinity), moments = rates.map(() => 0);
        if (sharp) {
          yield { corner, away: away.map(() => Infinity), nearest: 0, logSum: 0, moments };
          return;
        }
        const terms = away.map((one, i) => Number(counts[i]) * Math.exp(nearest - one)), whole = dp.sum(terms)[0];
        for (const q of real) {
          for (let i = 0; i < size; i++) moments[q] += terms[i] * Math.abs(columns[q][i] - corner[q]);
          moments[q] *= factors[q] / whole;
        }
        yield { corner, away, nearest, logSum: Math.log(whole), moments };
      }
    }

    posteriors(rates) {
      const { rowOf, unit } = this.worlds, sums = this.worlds.largest(rates).sums;
      const inverse = new Float64Array(sums.length);
      for (const { away, nearest, logSum } of this.corners(rates)) {
        for (let i = 0; i < inverse.length; i++) inverse[i] = Math.max(inverse[i], away[i] - nearest + logSum);
      }
      const own = Float64Array.from(rowOf, (row) => Math.min(1, 1 / (unit * sums[row])));
      const other = Float64Array.from(rowOf, (row) => Math.min(1, -Math.expm1(-inverse[row])));
      return this.secret === "absent" ? { present: other, absent: own } : { present: own, absent: other };
    }
  }

  // All worlds listed: held[r][i] of the worlds with answer i hold record r, left[r][i] do not.
  class ListedWorlds {
    constructor(worlds, held) {
      Object.assign(this, { worlds, held, exact: true });
      this.left = held.map((row) => row.map((count, i) => worlds.counts[i] - count));
    }

    look(rates, secret) {
      const sign = secret === "present" ? 1 : -1;
      const found = this.extremes(rates).map((one) => one[secret === "present" ? "most" : "least"]);
      let record = 0;
      found.forEach((one, r) => { if (sign * one.odds > sign * found[record].odds) record = r; });
      const slopes = slopesAt(this.worlds, this.held[record], this.left[record], found[record].output, rates);
      return { logOdds: sign * Math.log(found[record].odds) + this.error(rates), slopes: slopes.map((one) => sign * one) };
    }

    error(rates) {
      let widest = 0, off = 0;
      rates.forEach((rate, q) => {
        const away = dp.exponent(rate, this.worlds.spread[q]);
        if (away < Infinity) widest += away;
        if (rate < Infinity) off += 4 * rate * this.worlds.factors[q] * this.worlds.offs[q];
      });
      const size = this.worlds.counts.length;
      if (rates.length === 1) return 3 * Math.max(this.worlds.decay.relativeError(widest), dp.careful.along(size)) + off;
      return 2 * (2 * (rates.length + 6) * (widest + 1) + size) * dp.UNIT + off;
    }

    // The largest and the least odds of each record that it is in, with their outputs: one of the answers, or of
    // several answers a point of the grid of their coordinates.
    extremes(rates) {
      if (!this.seen || rates.some((rate, q) => rate !== this.seen.rates[q])) this.seen = { rates: rates.slice(), found: this.searched(rates) };
      return this.seen.found;
    }

    searched(rates) {
      const found = this.held.map(() => ({ most: { odds: -1, output: [] }, least: { odds: Infinity, output: [] } }));
      const take = (r, held, left, output) => {
        const odds = held / left;
        if (odds > found[r].most.odds) found[r].most = { odds, output };
        if (odds < found[r].least.odds) found[r].least = { odds, output };
      };
      if (rates.length === 1) {
        const { columns, decay } = this.worlds, scaled = this.worlds.scaled(rates);
        this.held.forEach((row, r) => {
          const [held, left] = [row, this.left[r]].map((weights) => decay.sums(scaled, weights));
          let most = 0, least = 0;
          for (let i = 1; i < held.length; i++) {
            const odds = held[i] / left[i];
            if (odds > held[most] / left[most]) most = i;
            if (odds < held[least] / left[least]) least = i;
          }
          for (const i of [most, least]) take(r, held[i], left[i], [columns[0][i]]);
        });
        return found;
      }
      for (const { output, near } of this.grid(rates)) {
        this.held.forEach((row, r) => {
          const other = this.left[r];
          let held = 0, left = 0;
          for (let i = 0; i < near.length; i++) { held += row[i] * near[i]; left += other[i] * near[i]; }
          take(r, held, left, output);
        });
      }
      return found;
    }

    *grid(rates) {
      const { columns, factors } = this.worlds, size = columns[0].length;
      const points = columns.map((column) => [...new Set(column)]);
      const cells = points.reduce((product, one) => product * one.length, 1);
      for (let cell = 0; cell < cells; cell++) {
        const output = [], away = new Float64Array(size);
        points.reduceRight((rest, axis, q) => {
          output[q] = axis[rest % axis.length];
          return Math.floor(rest / axis.length);
        }, cell);
        columns.forEach((column, q) => {
          for (let i = 0; i < size; i++) away[i] += dp.exponent(rates[q] * factors[q], Math.abs(column[i] - output[q]));
        });
        const nearest = away.reduce((a, b) => Math.min(a, b));
        if (nearest < Infinity) yield { output, near: away.map((one) => Math.exp(nearest - one)) };
      }
    }

    posteriors(rates) {
      const found = this.extremes(rates);
      return {
        present: found.map(({ most }) => 1 / (1 + 1 / most.odds)), absent: found.map(({ least }) => 1 / (1 + least.odds)),
      };
    }
  }

  // How the log odds of worlds with and without a record grow with each rate.
  function slopesAt(worlds, held, left, output, rates) {
    const away = worlds.columns[0].map((_, i) => worlds.columns.reduce((sum, column, q) =>
      sum + dp.exponent(rates[q] * worlds.factors[q], Math.abs(column[i] - output[q])), 0));
    const means = [held, left].map((weights) => {
      const near = away.reduce((least, one, i) => (weights[i] > 0 && one < least ? one : least), Infinity);
      if (near === Infinity) return null;
      const terms = away.map((one, i) => (weights[i] > 0 ? weights[i] * Math.exp(near - one) : 0)), whole = dp.sum(terms)[0];
      return worlds.columns.map((column, q) =>
        (worlds.factors[q] * column.reduce((sum, value, i) => sum + (terms[i] && terms[i] * Math.abs(value - output[q])), 0)) / whole);
    });
    return rates.map((_, q) => (means[0] && means[1] ? means[1][q] - means[0][q] : NaN));
  }

  return { fromLogOdds, BoundedRecords, LoneWorlds, ListedWorlds };
});
