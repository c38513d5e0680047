// Numbers without rounding: fractions of BigInts, floats as fractions, sums rounded once.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})(() => {
  "use strict";
  const UNIT = 2 ** -53; // the most that a float is off, relative to itself
  const bits = new DataView(new ArrayBuffer(8));

  // The greatest common divisor of two whole numbers.
  function gcd(one, other) {
    while (other) [one, other] = [other, one % other];
    return one < 0n ? -one : one;
  }

  // A fraction in lowest terms, its denominator positive.
  function fraction(n, d = 1n) {
    const common = gcd(n, d) || 1n;
    const sign = d < 0n ? -1n : 1n;
    return { n: (sign * n) / common, d: (sign * d) / common };
  }

  // A finite float as the binary fraction that it is.
  function asFraction(value) {
    bits.setFloat64(0, value);
    const word = bits.getBigUint64(0);
    const biased = Number((word >> 52n) & 0x7ffn);
    const mantissa = (word & 0xfffffffffffffn) | (biased ? 1n << 52n : 0n);
    const signed = word >> 63n ? -mantissa : mantissa;
    const shift = (biased || 1) - 1075;
    return shift >= 0 ? fraction(signed << BigInt(shift)) : fraction(signed, 1n << BigInt(-shift));
  }

  // A decimal text such as "-1.5e3" as the fraction that it means.
  function ofDecimal(text) {
    const [, sign, whole, part = "", power = "0"] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
    const digits = BigInt(sign + (whole + part || "0"));
    const places = Number(power) - part.length;
    return places >= 0 ? fraction(digits * 10n ** BigInt(places)) : fraction(digits, 10n ** BigInt(-places));
  }

  function bitLength(value) {
    return value ? (value < 0n ? -value : value).toString(2).length : 0;
  }

  // The float nearest to n/d, d > 0.
  function quotient(n, d) {
    if (n < 0n) return -quotient(-n, d);
    if (!n) return 0;
    const shift = Math.min(bitLength(d) - bitLength(n) + 66, 1140); // at least 65 bits, and no bit below a float
    const scaled = shift >= 0 ? n << BigInt(shift) : n;
    const over = shift >= 0 ? d : d << BigInt(-shift);
    const whole = scaled / over;
    const sticky = whole * over === scaled ? whole : whole | 1n;
    return ldexp(sticky, -shift);
  }

  // A positive whole number times a power of two, rounded once.
  function ldexp(whole, power) {
    const least = -1074 - power; // bits below this are below every float
    if (least > bitLength(whole) - 53) {
      const cut = BigInt(least);
      const half = 1n << (cut - 1n);
      let kept = whole >> cut;
      const rest = whole - (kept << cut);
      if (rest > half || (rest === half && kept & 1n)) kept += 1n;
      return Number(kept) * 2 ** -1074;
    }
    const value = Number(whole); // at least 53 bits of whole are in front: rounding is done here
    const steps = Math.trunc(power / 2);
    return value * 2 ** steps * 2 ** (power - steps);
  }

  // Whether one fraction is less than, equal to, or more than another: -1, 0, 1.
  function compare(one, other) {
    const difference = one.n * other.d - other.n * one.d;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  function logOfWhole(value) {
    const extra = Math.max(bitLength(value) - 1000, 0);
    return Math.log(Number(value >> BigInt(extra))) + extra * Math.LN2;
  }

  // The natural logarithm of a positive fraction, however small or large.
  function log(value) {
    if (Math.abs(bitLength(value.n) - bitLength(value.d)) < 1000) return Math.log(quotient(value.n, value.d));
    return logOfWhole(value.n) - logOfWhole(value.d);
  }

  // What an addition rounds off: one + other is total plus this, exactly.
  function rest(one, other, total) {
    const part = total - one;
    return one - (total - part) + (other - part);
  }

  // The sum of floats as a head and a tail, good to about 100 bits where nothing cancels.
  function sum(values) {
    let head = 0, tail = 0, finest = 0;
    for (let i = 0; i < values.length; i++) {
      const total = head + values[i], lost = rest(head, values[i], total);
      const fine = tail + lost;
      finest += rest(tail, lost, fine);
      head = total;
      tail = fine;
    }
    const total = head + tail;
    return [total, rest(head, tail, total) + finest];
  }

  // total - one * other, where that loses few digits: the product is taken in two parts.
  function timesLess(one, other, total) {
    const big = one * (2 ** 27 + 1), high = big - (big - one);
    return total - high * other - (one - high) * other;
  }

  // C(N, n), exact.
  function binomial(records, size) {
    let found = 1n;
    const few = Math.min(size, records - size);
    for (let k = 1; k <= few; k++) found = (found * BigInt(records - few + k)) / BigInt(k);
    return found;
  }

  // ln(x!) for x >= 0, to about 1e-15 of itself.
  function logFactorial(x) {
    let shifted = x + 1, product = 1;
    while (shifted < 16) product *= shifted++;
    const square = 1 / (shifted * shifted);
    const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / shifted;
    return (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
  }

  return {
    UNIT, gcd, fraction, asFraction, ofDecimal, bitLength, quotient, compare, log, rest, sum, timesLess, binomial, logFactorial,
  };
});
