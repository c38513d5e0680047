// How the sums of decay.js are formed. Along one chain they are two running sums. For several chains the rows
// are halved at a row c of the first one: between the halves the distance is |f_i - c| + |c - f_j|, so that
// each row's own factor takes the chain out of the sum. Rows of a half that lie on one chain after all are
// not halved again. All terms are positive, and nothing cancels.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})(() => {
  "use strict";
  const FEW = 24; // rows that are summed pair by pair

  const apart = (line, one, other) => Math.abs(line.head[one] - line.head[other] + (line.tail[one] - line.tail[other]));

  // A line cut into blocks, in which exponents stay within the reach: { growth, starts, fades, rates }: the exponential of
  // each row within its block, where blocks start, and what is left of a sum on its way from block to block.
  function march({ head, tail }, reach, rates) {
    const size = head.length, growth = new Float64Array(size), starts = [], fades = [];
    for (let start = 0; start < size;) {
      const base = head[start], fine = tail[start];
      let stop = start, widest = 0;
      for (; stop < size; stop++) {
        const away = head[stop] - base + (tail[stop] - fine);
        if (away > reach) break;
        growth[stop] = widest = away;
      }
      for (let i = start; i < stop; i++) growth[i] = Math.exp(growth[i] - widest / 2);
      starts.push(start);
      fades.push(start ? Math.exp(-Math.abs(base - head[start - 1] + (fine - tail[start - 1]))) : 0);
      start = stop;
    }
    return { growth, starts, fades, rates };
  }

  // The sums of all rows along a line, from the left and from the right; what an addition rounds off is kept.
  function carried({ growth, starts, fades }, weights) {
    const size = growth.length, total = new Float64Array(size);
    let sum = 0, rest = 0;
    for (let b = 0; b < starts.length; b++) {
      const start = starts[b], stop = starts[b + 1] ?? size;
      sum = b ? ((sum + rest) / growth[start - 1]) * fades[b] * growth[start] : 0;
      rest = 0;
      for (let i = start; i < stop; i++) {
        const more = weights[i] * growth[i], now = sum + more;
        rest += sum >= more ? sum - now + more : more - now + sum;
        sum = now;
        total[i] = (sum + rest) / growth[i];
      }
    }
    sum = rest = 0;
    for (let b = starts.length - 1, stop = size; b >= 0; stop = starts[b--]) { // and back, with nothing of a row's own
      const start = starts[b];
      sum = stop < size ? ((sum + rest) * growth[stop] * fades[b + 1]) / growth[stop - 1] : 0;
      rest = 0;
      for (let i = stop - 1; i >= start; i--) {
        total[i] += (sum + rest) * growth[i];
        const more = weights[i] / growth[i], now = sum + more;
        rest += sum >= more ? sum - now + more : more - now + sum;
        sum = now;
      }
    }
    return total;
  }

  // Add the sums of rows along a line, in its order. With sides (0 or 1) only rows of different sides meet.
  function sweep(all, line, rows, gives, takes, sides) {
    const { head, tail } = line, { total, reach } = all, size = rows.length;
    if (!all.growth) [all.growth, all.gained] = [new Float64Array(all.order.length), new Float64Array(all.order.length)];
    const { growth, gained } = all, blocks = [];
    const sums = [0, 0], rests = [0, 0], handed = [0, 0];
    for (let start = 0; start < size;) { // a block after the other, in which exponents stay within the reach
      const from = rows[start], base = head[from], fine = tail[from];
      let stop = start, widest = 0;
      for (; stop < size; stop++) {
        const away = Math.abs(head[rows[stop]] - base + (tail[rows[stop]] - fine));
        if (away > reach) break;
        growth[stop] = widest = away;
      }
      for (let i = start; i < stop; i++) growth[i] = Math.exp(growth[i] - widest / 2);
      const fade = start ? Math.exp(-apart(line, from, rows[start - 1])) * growth[start] : 0;
      for (const side of [0, 1]) [sums[side], rests[side]] = [handed[side] * fade, 0];
      for (let i = start; i < stop; i++) {
        const side = sides ? sides[i] : 0, more = gives[i] * growth[i], before = sums[side], now = before + more;
        rests[side] += before >= more ? before - now + more : more - now + before;
        sums[side] = now;
        const from = sides ? 1 - side : 0;
        gained[i] = (sums[from] + rests[from]) / growth[i];
      }
      for (const side of [0, 1]) handed[side] = (sums[side] + rests[side]) / growth[stop - 1];
      blocks.push(start);
      start = stop;
    }
    handed.fill(0);
    for (let b = blocks.length - 1, stop = size; b >= 0; stop = blocks[b--]) { // and back
      const start = blocks[b];
      const fade = stop < size ? Math.exp(-apart(line, rows[stop], rows[stop - 1])) / growth[stop - 1] : 0;
      for (const side of [0, 1]) [sums[side], rests[side]] = [handed[side] * fade, 0];
      for (let i = stop - 1; i >= start; i--) {
        const side = sides ? sides[i] : 0, from = sides ? 1 - side : 0;
        gained[i] += (sums[from] + rests[from]) * growth[i];
        const more = gives[i] / growth[i], before = sums[side], now = before + more;
        rests[side] += before >= more ? before - now + more : more - now + before;
        sums[side] = now;
      }
      for (const side of [0, 1]) handed[side] = (sums[side] + rests[side]) * growth[start];
    }
    for (let i = 0; i < size; i++) total[rows[i]] += takes ? takes[i] * gained[i] : gained[i];
  }

  // Add the sums of rows among themselves; the rows stand in the order of the last chain.
  function halve(all, axis, rows, given) {
    if (rows.length <= FEW) return void pairs(all, axis, rows, given, null, null);
    const joined = axis === 0 && all.chains.length === 2 ? oneLine(all, rows) : null;
    if (joined) return void sweep(all, joined, rows, given, null, null);
    const { rank, order } = all.chains[axis], line = all.lines[axis], size = rows.length;
    let first = Infinity, last = -1;
    for (let i = 0; i < size; i++) {
      if (rank[rows[i]] < first) first = rank[rows[i]];
      if (rank[rows[i]] > last) last = rank[rows[i]];
    }
    const middle = (first + last) >> 1, centre = order[middle];
    const sides = new Uint8Array(size), near = new Float64Array(size), gives = new Float64Array(size);
    const sizes = [0, 0];
    for (let i = 0; i < size; i++) {
      sides[i] = rank[rows[i]] > middle ? 1 : 0;
      sizes[sides[i]]++;
      near[i] = Math.exp(-apart(line, rows[i], centre));
      gives[i] = given[i] * near[i];
    }
    meet(all, axis + 1, rows, gives, near, sides);
    for (const side of [0, 1]) {
      const part = new Int32Array(sizes[side]), weights = new Float64Array(sizes[side]);
      for (let i = 0, k = 0; i < size; i++) if (sides[i] === side) [part[k], weights[k++]] = [rows[i], given[i]];
      halve(all, axis, part, weights);
    }
  }

  // Add what rows of different sides give to each other, from a chain on.
  function meet(all, axis, rows, gives, takes, sides) {
    const line = all.lines[axis], size = rows.length;
    if (axis === all.chains.length - 1) return void sweep(all, line, rows, gives, takes, sides);
    if (size <= FEW) return void pairs(all, axis, rows, gives, takes, sides);
    const { rank, order } = all.chains[axis];
    let first = Infinity, last = -1, ones = 0;
    for (let i = 0; i < size; i++) {
      if (rank[rows[i]] < first) first = rank[rows[i]];
      if (rank[rows[i]] > last) last = rank[rows[i]];
      ones += sides[i];
    }
    if (!ones || ones === size) return;
    const middle = (first + last) >> 1, centre = order[middle];
    const half = (i) => (rank[rows[i]] > middle ? 1 : 0);
    // who is on one side and low meets who is on the other and high, and the other way round
    for (const pattern of [0, 1]) {
      const [list, fadedGives, fadedTakes, parts] = [[], [], [], []];
      for (let i = 0; i < size; i++) {
        if ((half(i) ^ sides[i]) !== pattern) continue;
        const near = Math.exp(-apart(line, rows[i], centre));
        list.push(rows[i]);
        fadedGives.push(gives[i] * near);
        fadedTakes.push(takes[i] * near);
        parts.push(sides[i]);
      }
      if (list.length) {
        meet(all, axis + 1, Int32Array.from(list), Float64Array.from(fadedGives), Float64Array.from(fadedTakes), Uint8Array.from(parts));
      }
    }
    for (const where of [0, 1]) {
      const kept = [];
      for (let i = 0; i < size; i++) if (half(i) === where) kept.push(i);
      const of = (type, values) => type.from(kept, (i) => values[i]);
      meet(all, axis, of(Int32Array, rows), of(Float64Array, gives), of(Float64Array, takes), of(Uint8Array, sides));
    }
  }

  function pairs(all, axis, rows, gives, takes, sides) {
    for (let i = 0; i < rows.length; i++) {
      let found = 0;
      for (let j = 0; j < rows.length; j++) {
        if (sides && sides[i] === sides[j]) continue;
        let away = 0;
        for (let a = axis; a < all.chains.length; a++) away += apart(all.lines[a], rows[i], rows[j]);
        found += gives[j] * Math.exp(-away);
      }
      all.total[rows[i]] += takes ? takes[i] * found : found;
    }
  }

  // The line on which rows of two chains lie where both only rise, or one falls as the other rises; or null.
  function oneLine(all, rows) {
    const { rank } = all.chains[0], up = rank[rows[rows.length - 1]] > rank[rows[0]];
    for (let i = 1; i < rows.length; i++) if (rank[rows[i]] > rank[rows[i - 1]] !== up) return null;
    if (!all.joined) all.joined = { head: new Float64Array(all.order.length), tail: new Float64Array(all.order.length) };
    const [one, other] = all.lines, { head, tail } = all.joined, sign = up ? 1 : -1;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i], more = sign * one.head[row], total = other.head[row] + more, part = total - other.head[row];
      head[row] = total;
      tail[row] = other.tail[row] + sign * one.tail[row] + (other.head[row] - (total - part) + (more - part));
    }
    return all.joined;
  }

  return { march, carried, sweep, halve };
});
