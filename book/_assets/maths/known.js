// The file is known, and all but one of its records are released: one answer. Answers are whole numbers of a unit, as in
// dpchoose/worlds/answers.py, so that two of them are one where they are equal and only there; the tight bound, its margin
// and the readers are those of dpchoose/risk and dpchoose/epsilon/readers.py. What is looked for here is shaved a little and
// looked at once more, so that a scale is never below the package's.
dpchoose.part((dp) => {
  "use strict";
  const UNIT = 2 ** -53, ROUNDED = 1 + 64 * UNIT, SHAVED = 4e-9, MOST_SHAVED = 2e-7, LOOKS = 200, WIDEST = 400;
  const NOBODY = "suspects nobody: who is missing", ANYBODY = "has any suspicion about who is missing";
  const NOISE = "Scale, error and epsilon are computed from the file and give its extremes away: they are not for publication.";
  // Records as whole numbers of one unit: of decimals where all are short, else of a power of two.
  function whole(values) {
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (let digits = 0; digits <= 15 && largest * 10 ** digits < 1e15; digits++) {
      const power = 10 ** digits, numbers = values.map((value) => Math.round(value * power));
      if (numbers.every((number, i) => number / power === values[i])) return { numbers, unit: { n: 1n, d: 10n ** BigInt(digits) } };
    }
    const parts = Array.from(values, (value) => [...Math.abs(value).toString(2).split("."), ""]), digits = parts.reduce((most, [, part]) => Math.max(most, part.length), 0);
    const exact = parts.map(([top, part]) => BigInt(`0b${top}${part.padEnd(digits, "0")}`)), widest = exact.reduce((most, one) => (one > most ? one : most));
    if (widest.toString(2).length > WIDEST) {
      const sizes = values.map(Math.abs).filter(Boolean), small = sizes.reduce((a, b) => Math.min(a, b));
      dp.refuse(`the values must be such that can be told apart beside each other, got ${dp.general(small, 6)} and ${dp.general(largest, 6)}, ` +
        "which are too far apart: is one of them a code for a missing value?");
    }
    return { numbers: exact.map((one, i) => (values[i] < 0 ? -one : one)), unit: { n: 1n, d: 2n ** BigInt(digits) } };
  }
  const sorted = (numbers) => (typeof numbers[0] === "bigint" ? [...numbers].sort((a, b) => (a < b ? -1 : Number(a > b))) : Float64Array.from(numbers).sort());
  // Where a percentile lies among so many sorted records: a position, and the share n/d of the way to the next.
  function placeOf(query, size) {
    const { n, d: parts } = dp.parseNumber(query === "median" ? "50" : query.replace("percentile_", ""), "percentile"), d = 100n * parts, top = BigInt(size - 1) * n;
    return [Number(top / d), top % d, d];
  }
  // The answer of every world: how many worlds have it, and how far it lies from the one in the middle.
  function worldsOf(query, values) {
    const size = values.length - 1, { numbers, unit } = whole(query === "count" ? new Float64Array(values.length) : values), u = sorted(numbers);
    let answers, counts, of = unit;
    if (query === "sum" || query === "mean" || query === "count") { // the sum less each, counted from the largest
      [answers, counts] = [[], []];
      for (let i = u.length - 1; i >= 0; i--) {
        if (i < u.length - 1 && u[i] === u[i + 1]) counts[counts.length - 1]++;
        else counts.push(answers.push(u[i]) && 1);
      }
      answers = answers.map((one, _, { length }) => answers[length >> 1] - one);
      if (query === "mean") of = { n: unit.n, d: unit.d * BigInt(size) };
    } else {
      const [low, n, d] = placeOf(query, size), at = (place) => BigInt(u[Math.min(place, size)]);
      const one = (a, b) => (d - n) * at(a) + n * at(b), found = new Map();
      for (const [a, b, many] of [[low, low + 1, size - low - 1], [low, low + 2, 1], [low + 1, low + 2, low + 1]]) {
        const value = one(a, low + 1 > size - 1 ? a : b); // at the upper end the next record is the last one
        if (many > 0) found.set(value, (found.get(value) ?? 0) + many);
      }
      const rows = [...found].sort(([a], [b]) => (a < b ? -1 : 1)), middle = rows[rows.length >> 1][0];
      answers = rows.map(([value]) => value - middle);
      counts = rows.map(([, many]) => many);
      of = { n: unit.n, d: unit.d * d };
    }
    const step = dp.float(of), places = Float64Array.from(answers, (one) => Number(one) * step);
    return { records: size + 1, places, counts: Float64Array.from(counts), range: places.at(-1) - places[0], fewest: counts.reduce((a, b) => Math.min(a, b)) };
  }
  // How far the answer can move when one record comes or goes: see dpchoose/sensitivity/monotone.py.
  function sensitivityOf(query, values) {
    if (query === "count") return 1;
    const { numbers, unit } = whole(values), u = sorted(numbers), all = u.length, at = (place) => BigInt(u[place]);
    const sizes = [all - 2, all - 1].filter((m) => m > 0);
    const prefix = (from, to) => { let sum = 0n; for (let i = from; i < to; i++) sum += BigInt(u[i]); return sum; };
    const total = prefix(0, all);
    let most = { n: 0n, d: 1n };
    const look = (n, d) => {
      const size = n < 0n ? -n : n;
      if (size * most.d > most.n * d) most = { n: size, d };
    };
    for (const m of sizes) {
      if (query === "sum" || query === "mean") {
        const skipped = m === all - 2; // b is all but the record next to the one that moves
        for (const [end, other] of [[all - 1, all - 2], [0, 1]]) {
          const rest = total - at(end) - (skipped ? at(other) : 0n);
          if (query === "sum") look(at(end), 1n);
          else look(rest - BigInt(m) * at(end), BigInt(m) * BigInt(m + 1)); // (mean of m) less (mean of m + 1)
        }
      } else {
        for (const [low, from] of [[m, 0], [m + 1, 1]]) {
          const [rank] = placeOf(query, low);
          for (const more of [1, 2]) {
            const cut = Math.min(rank + more, m + 1), b = (i) => at(i < cut ? i : all - (m + 1) + i);
            const answer = (size, first) => {
              const [place, n, d] = placeOf(query, size), low_ = b(first + place), high = b(first + Math.min(place + 1, size - 1));
              return [low_ * d + n * (high - low_), d];
            };
            const [[a, c], [e, f]] = [answer(m, from), answer(m + 1, 0)];
            look(a * f - e * c, c * f);
          }
        }
      }
    }
    return dp.quotient(most.n * unit.n, most.d * unit.d);
  }
  // How much weight lies around each place, fading with distance at a rate; places are sorted.
  function around(places, weights, rate) {
    const found = new Float64Array(places.length);
    for (let i = 0, sum = 0; i < places.length; i++) {
      sum = i ? sum * Math.exp(-rate * (places[i] - places[i - 1])) + weights[i] : weights[i];
      found[i] = sum;
    }
    for (let i = places.length - 2, sum = weights[i + 1]; i >= 0; i--) {
      const fade = Math.exp(-rate * (places[i + 1] - places[i]));
      found[i] += sum * fade;
      sum = sum * fade + weights[i];
    }
    return found;
  }
  // By how much the logarithm of the tight bound may be off: the package's own margin.
  const margin = ({ places, range }, rate) => UNIT * (14 * (Math.sqrt(places.length) + 2) + 12 * rate * range + 8);
  // The logarithm of the tight bound, of the worlds of which there are fewer than so many with the same answer.
  function logRisk({ places, counts }, rate, fewer = Infinity) {
    const sums = around(places, counts, rate);
    let least = Infinity;
    for (let i = 0; i < sums.length; i++) if (counts[i] < fewer && sums[i] < least) least = sums[i];
    return Math.min(-Math.log(least), 0);
  }
  // The belief of who suspects nobody at a rate, rounded up; Infinity is no noise.
  function tight(worlds, rate) {
    if (worlds.places.length < 2) return 1 / worlds.records;
    if (rate === Infinity) return 1 / worlds.fewest;
    return Math.exp(Math.min(logRisk(worlds, rate) + margin(worlds, rate), 0));
  }
  // The largest rate at which the tight bound keeps a risk: 0 for none, Infinity for any.
  function keptRate(worlds, risk) {
    const fewest = BigInt(worlds.fewest), fewer = Number((risk.d + risk.n - 1n) / risk.n), logOf = dp.log(risk);
    if (risk.n * fewest >= risk.d) return Infinity;
    const goal = logOf - 8 * UNIT * (1 + Math.abs(logOf));
    const over = (rate) => logRisk(worlds, rate, fewer) + margin(worlds, rate) - goal;
    const gain = dp.log(dp.oddsOf(risk)) + Math.log(worlds.records - 1);
    let low = 0, high = Infinity, below = 0, above = 0, side = 0, rate = gain > 0 ? gain / worlds.range : 1 / worlds.range;
    for (let look = 0; look < LOOKS && !(high <= low * (1 + 1e-9)); look++) { // secants in the logarithm, halved where they stay on one side
      const gap = over(rate);
      if (gap > 0) [high, above, below, side] = [rate, gap, side > 0 ? below / 2 : below, 1];
      else [low, below, above, side] = [rate, gap, side < 0 ? above / 2 : above, -1];
      if (!low) rate /= 8;
      else if (high === Infinity) rate *= 8;
      else {
        const share = high > 4 * low ? 0.5 : below / (below - above);
        rate = low * (high / low) ** Math.min(Math.max(share, 1e-3), 1 - 1e-3);
        if (high <= low * (1 + 1e-6)) rate = (low + high) / 2;
      }
      if (!(rate > 1e-290 && rate < 1e290)) break;
    }
    const noise = 2 * UNIT * Math.sqrt(worlds.places.length);
    for (let shaved = SHAVED; shaved < 1; shaved *= 2) { // by little where the curve is steep
      const gap = over((rate = low * (1 - shaved)));
      if (gap <= -noise || (shaved > MOST_SHAVED && gap <= 0)) return rate;
    }
    return 0;
  }
  // The row of who tells two lists apart that lie a distance from each other.
  function grown(reader, before, distance, promised = true) {
    const factor = distance < 700 ? Math.exp(distance) * ROUNDED : Infinity, belief = dp.float(before);
    return { reader, before, after: Math.min(after(belief, factor) * ROUNDED, 1), factor, exact: false, promised };
  }
  const after = (belief, factor) => (factor === Infinity ? 1 : (factor * belief) / (1 - belief + factor * belief));
  // The answer of a typical release.
  function typical(query, values) {
    const total = values.reduce((sum, value) => sum + value, 0), size = values.length;
    if (query === "count" || query === "mean") return query === "count" ? size - 1 : total / size;
    if (query === "sum") return (total * (size - 1)) / size;
    const u = sorted(values), [low, n, d] = placeOf(query, size);
    return u[low] + dp.quotient(n, d) * (u[Math.min(low + 1, size - 1)] - u[low]);
  }
  // A known file, of which one answer is asked.
  class Known {
    constructor({ statistic, query, values }) {
      if (values.length < 2) dp.refuse(`the file must hold at least 2 records to be asked, got ${values.length}`);
      Object.assign(this, { labels: [statistic], worlds: worldsOf(query, values), records: values.length, first: { n: 1n, d: BigInt(values.length) } });
      this.sensitivities = [sensitivityOf(query, values)];
      this.telling = this.worlds.places.length > 1;
      this.answer = typical(query, values);
    }
    distance([rate]) {
      if (!this.telling) return 0;
      return rate * this.worlds.range * ROUNDED;
    }
    along(distance) { return [(distance / this.distance([1])) * (1 - 2 ** -40)]; }
    // What a goal asks for: { status, reason, rates }.
    kept({ goal, exact, before, said }) {
      const everywhere = { status: "exact", reason: "every choice of the released records gives the same", rates: [Infinity] };
      if (goal === "odds" || before) return this.telling ? { status: "ok", reason: "", rates: this.along(dp.accepted(goal, exact, before)) } : everywhere;
      const { first } = this, far = exact.n * first.d - exact.d * first.n;
      if (far < 0n || (far === 0n && this.telling)) {
        const reason = `risk must exceed ${dp.show(first)}, the chance to guess who is missing, got ${dp.show(exact)}`;
        return { status: "cannot be met", reason, rates: null };
      }
      if (!this.telling) return everywhere;
      const rate = keptRate(this.worlds, exact), most = dp.chance(1 / this.worlds.fewest);
      if (rate === Infinity) return { status: "exact", reason: `even the exact answers leave who suspects nobody at most ${most} sure`, rates: [rate] };
      return rate ? { status: "ok", reason: "", rates: [rate] } : { status: "cannot be met", reason: `${said} is too close to what is believed before`, rates: null };
    }
    readers(rates, before) {
      const far = this.distance(rates), risk = tight(this.worlds, rates[0]), first = dp.float(this.first);
      const factor = (risk < 1 ? risk / (1 - risk) / (first / (1 - first)) : Infinity) * ROUNDED;
      const rows = [{ reader: NOBODY, before: this.first, after: risk, factor, exact: true, promised: true }];
      if (before) rows.push(grown(`suspects it at ${dp.before(before)}`, before, far));
      return [...rows, grown(ANYBODY, { n: 1n, d: 2n }, far)].map((row) => ({ ...row, exact: true }));
    }
    // What who suspects nobody gets.
    nobody(rates) { return tight(this.worlds, rates[0]); }
    sentences([first], asked, how) {
      const many = dp.grouped(this.records);
      return [
        `${asked} of ${dp.grouped(this.records - 1)} of the ${many} records ${how}.`,
        `This holds for whoever knows all ${many} records, whatever she suspects about who is missing.`,
        `Who suspects nobody more than another begins at ${dp.before(first.before)} and gets at most ${dp.chance(first.after)} sure who is missing ` +
          `(x ${dp.factor(first.factor)} for her).`,
        NOISE,
      ];
    }
  }

  return { Known, around, grown, after, ROUNDED, whole };
});
