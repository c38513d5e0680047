// Sums of weights that decay with distance, sum_j w_j exp(-sum_q t_q |f_q,i - f_q,j|), for every row i.
//
// Answers of which one rises or falls wherever another does lie on one *chain*, along which their distances
// add up: the mean, the sum and the percentiles of a column always do. How the sums are formed stands in
// sweep.js.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const FARTHEST = 745; // exponents beyond vanish
  const NOTHING = 800; // exp(-800) is 0 in floats
  const SPLITTER = 2 ** 27 + 1;

  // rate * gap, where no gap is 0 even at an infinite rate.
  const exponent = (rate, gap) => (gap === 0 ? 0 : rate * gap);

  // 0, 1, 2, ...
  function counting(size) {
    const found = new Int32Array(size);
    for (let i = 0; i < size; i++) found[i] = i;
    return found;
  }

  // The values at some places.
  function gathered(type, places, values) {
    const found = new type(places.length);
    for (let i = 0; i < found.length; i++) found[i] = values[places[i]];
    return found;
  }

  // The order of numbers, stable: by 16 bits at a time. `first` is an order to begin with.
  function argsort(values, first = null) {
    const size = values.length, keys = new Float64Array(values.length);
    for (let i = 0; i < size; i++) keys[i] = values[i] + 0; // -0 is 0
    const words = new Uint32Array(keys.buffer);
    for (let i = 0; i < size; i++) { // bits that are in order as whole numbers
      const high = words[2 * i + 1];
      words[2 * i + 1] = high >>> 31 ? ~high : high ^ 0x80000000;
      if (high >>> 31) words[2 * i] = ~words[2 * i];
    }
    let order = new Int32Array(size), next = new Int32Array(size);
    for (let i = 0; i < size; i++) order[i] = first ? first[i] : i;
    for (const [word, shift] of [[0, 0], [0, 16], [1, 0], [1, 16]]) {
      const starts = new Int32Array(65537);
      for (let i = 0; i < size; i++) starts[((words[2 * i + word] >>> shift) & 0xffff) + 1]++;
      if (starts.includes(size)) continue;
      for (let digit = 0; digit < 65536; digit++) starts[digit + 1] += starts[digit];
      for (let i = 0; i < size; i++) {
        const row = order[i];
        next[starts[(words[2 * row + word] >>> shift) & 0xffff]++] = row;
      }
      [order, next] = [next, order];
    }
    return order;
  }

  // Columns parted into chains: [{ columns: [q, ...], order }], the order of the rows along each.
  function chainsOf(columns) {
    const chains = [];
    columns.forEach((column, q) => {
      for (const chain of chains) {
        const joined = along(chain, columns, q, column);
        if (joined) {
          chain.columns.push(q);
          chain.order = joined;
          return;
        }
      }
      chains.push({ columns: [q], order: isSorted(column) ? null : argsort(column) });
    });
    for (const chain of chains) chain.order ??= counting(columns[0].length);
    return chains;
  }

  function isSorted(column) {
    for (let i = 1; i < column.length; i++) if (column[i] < column[i - 1]) return false;
    return true;
  }

  // The order of a chain in which one more column only rises, or only falls; null where there is none.
  function along(chain, columns, q, column) {
    const size = column.length;
    const at = (i) => (chain.order ? chain.order[i] : i);
    const apart = (i) => chain.columns.some((member) => columns[member][at(i)] !== columns[member][at(i - 1)]);
    let ups = false, downs = false, before = null, low = Infinity, high = -Infinity;
    for (let i = 0; i <= size; i++) {
      if (i === size || (i && apart(i))) { // what stands between two runs of equal rows
        if (before) {
          ups ||= high > before[0] || low > before[0] || high > before[1];
          downs ||= low < before[1] || high < before[1] || low < before[0];
        }
        if (ups && downs) return null;
        before = [low, high];
        if (i === size) break;
        [low, high] = [Infinity, -Infinity];
      }
      low = Math.min(low, column[at(i)]);
      high = Math.max(high, column[at(i)]);
    }
    const order = chain.order ? chain.order.slice() : counting(size);
    const sign = downs ? -1 : 1;
    for (let i = 0, start = 0; i <= size; i++) { // within runs of equal rows the new column decides
      if (i < size && (!i || !apart(i))) continue;
      if (i - start > 1) order.subarray(start, i).sort((a, b) => sign * (column[a] - column[b]));
      start = i;
    }
    return order;
  }

  // Two floats that add up to one * other, exactly.
  function product(one, other) {
    const found = one * other, big = one * SPLITTER, wide = other * SPLITTER;
    const high = big - (big - one), top = wide - (wide - other);
    const low = one - high, bottom = other - top;
    return [found, high * top - found + high * bottom + low * top + low * bottom];
  }

  // The bounds of version 0.2.0 of the package, of one answer, of several, and by group (dpchoose/risk/decay.py, decay_rows.py,
  // groups.py): none is taken below them.
  const careful = {
    along(size, span = Infinity) {
      const width = size <= 1024 ? size : Math.floor(Math.sqrt(size - 1)) + 1, lines = size <= 1024 ? 1 : Math.ceil(size / width);
      return 4 * (5 * Math.min(span, FARTHEST) + lines + width + (span > 600 ? 200 : 8)) * dp.UNIT;
    },
    rows(size, several) {
      const width = Math.floor(Math.sqrt(Math.max(0, size - 1))) + 1, levels = 33 - Math.clz32(Math.max(1, size));
      const steps = 6 * (2 * width + Math.ceil(size / width) + 2 * several + 64);
      return (FARTHEST * (several + 5) + steps + levels ** Math.max(1, several - 1) + 100) * dp.UNIT;
    },
    groups(sizes, several, inLine) { // of the records of each group
      const total = sizes.reduce((sum, size) => sum + size, 0), most = sizes.reduce((a, b) => Math.max(a, b));
      const across = 2 * dp.UNIT * (2 * FARTHEST * (several + 4) + 2 * most + 2 * sizes.length + 200);
      if (inLine) return across + 2 * dp.UNIT * (FARTHEST * (several + 4) + 15 * (Math.floor(Math.sqrt(total)) + 1) + 20);
      return 3 * (across + 2 * dp.UNIT * (2 * FARTHEST * (several + 4) + 2 * most + 100) + careful.rows(most, several));
    },
  };

  class Decay {
    // Rows: columns of (M,) floats, weights (M,). They are kept in the order of the last chain.
    constructor(columns, weights) {
      const chains = chainsOf(columns);
      this.order = chains[chains.length - 1].order;
      this.inOrder = this.order.every((row, i) => row === i);
      const here = (values) => gathered(Float64Array, this.order, values);
      this.rows = counting(this.order.length);
      this.columns = columns.map(here);
      this.weights = here(weights);
      const place = new Int32Array(this.order.length);
      for (let i = 0; i < place.length; i++) place[this.order[i]] = i;
      this.placeOf = place;
      this.chains = chains.map(({ columns: members, order }) => {
        const along = gathered(Int32Array, order, place), rank = new Int32Array(place.length);
        for (let i = 0; i < rank.length; i++) rank[along[i]] = i;
        return { columns: members, order: along, rank };
      });
      const smallest = this.weights.reduce((least, weight) => (weight > 0 && weight < least ? weight : least), Infinity);
      this.reach = smallest < 1e-150 ? 30 : 600; // the widest exponent within a block
    }

    // A bound on the relative error of a sum whose exponents span so much: an exponent is a sum of d products of a
    // rate and a difference, off by d + 1 roundings; two exponentials, a sum that keeps what it rounds off, and a few
    // products; more where blocks hand on their sums, and where the parts of several chains are added up.
    relativeError(span) {
      const several = this.columns.length, levels = 34 - Math.clz32(this.weights.length);
      const parts = this.chains.length > 1 ? 2 * levels ** (this.chains.length - 1) + 20 * levels : 0;
      const blocks = span <= this.reach ? 12 : this.reach < 600 ? 500 : 60;
      return 2 * ((several + 2) * Math.min(span, FARTHEST) + parts + blocks) * dp.UNIT;
    }

    // All sums at rates of shape (d,), in [0, inf]; an infinite rate parts rows that differ. `others`: other weights.
    sums(rates, others = null) {
      const size = this.order.length, weights = others && !this.inOrder ? gathered(Float64Array, this.order, others) : others ?? this.weights;
      if (this.chains.length === 1) {
        if (!this.marched || rates.some((rate, q) => rate !== this.marched.rates[q])) { // other weights march the same way
          this.marched = dp.march(this.line(this.chains[0], rates), this.reach, rates.slice());
        }
        this.total = dp.carried(this.marched, weights);
      } else {
        this.lines = this.chains.map((chain) => this.line(chain, rates));
        this.total = new Float64Array(size);
        dp.halve(this, 0, this.rows, weights);
      }
      if (this.inOrder) return this.total;
      const found = new Float64Array(size);
      for (let i = 0; i < size; i++) found[this.order[i]] = this.total[i];
      return found;
    }

    // Where the rows stand on a chain, a head and a tail, so that every distance keeps its digits.
    line(chain, rates) {
      const size = this.order.length, head = new Float64Array(size), tail = new Float64Array(size);
      const [start, end] = [chain.order[0], chain.order[size - 1]];
      for (const q of chain.columns) {
        const column = this.columns[q], first = column[start], falls = column[end] < first;
        if (column[end] === first) continue; // it parts no rows
        const infinite = rates[q] * Math.abs(column[end] - first) > 1e200;
        const rate = falls ? -rates[q] : rates[q];
        let rank = 0;
        for (let i = 0; i < size; i++) {
          const row = chain.order[i];
          if (infinite) {
            if (i && column[row] !== column[chain.order[i - 1]]) rank++;
            head[row] += rank * NOTHING;
            continue;
          }
          const [more, fine] = product(rate, column[row]);
          const total = head[row] + more;
          tail[row] += dp.rest(head[row], more, total) + fine;
          head[row] = total;
        }
      }
      return { head, tail };
    }

    // How far all rows are from one of them, (M,), in the order in which they were given.
    distances(row, rates) {
      const found = new Float64Array(this.order.length), at = this.placeOf[row];
      this.columns.forEach((column, q) => {
        const rate = rates[q], here = column[at], { order } = this;
        for (let i = 0; i < found.length; i++) found[order[i]] += exponent(rate, Math.abs(column[i] - here));
      });
      return found;
    }

    // The largest distance of two rows: of the signs of the chains, those with the widest range. Never too small.
    diameter(rates) {
      const several = this.chains.length, size = this.order.length;
      if (several === 1) { // its ends are farthest apart
        const [start, end] = [this.chains[0].order[0], this.chains[0].order[size - 1]];
        const far = this.columns.reduce((sum, column, q) => sum + exponent(rates[q], Math.abs(column[end] - column[start])), 0);
        return far * (1 + 4 * (this.columns.length + 1) ** 2 * dp.UNIT);
      }
      const scaled = this.chains.map((chain) => {
        const found = new Float64Array(size);
        for (const q of chain.columns) {
          const column = this.columns[q], first = column[chain.order[0]];
          for (let i = 0; i < size; i++) found[i] += exponent(rates[q], Math.abs(column[i] - first));
        }
        return found;
      });
      let largest = 0;
      for (let signs = 0; signs < 2 ** (several - 1); signs++) {
        let low = Infinity, high = -Infinity;
        for (let i = 0; i < size; i++) {
          let score = scaled[0][i];
          for (let a = 1; a < several; a++) score += (signs >> (a - 1)) & 1 ? -scaled[a][i] : scaled[a][i];
          if (!(Math.abs(score) < Infinity)) return Infinity;
          if (score < low) low = score;
          if (score > high) high = score;
        }
        largest = Math.max(largest, high - low);
      }
      return largest * (1 + 4 * (this.columns.length + 1) ** 2 * dp.UNIT);
    }
  }

  return { careful, exponent, counting, gathered, argsort, Decay };
});
