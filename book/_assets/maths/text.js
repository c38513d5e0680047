// Risks as they are written, epsilons and scales as they may be shown: an epsilon never more than it is,
// a scale never less.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const MOST_DIGITS = 400; // in the text of a risk
  const SMALL = -6, LARGE = 15; // powers of ten beyond which a number is written with its power
  const ROUNDING = 1e-12;

  // A number as Python writes it: 1.0, 1e-05.
  function written(value) {
    if (Number.isNaN(value)) return "nan";
    if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
      const [digits, power] = value.toExponential().split("e");
      return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
    }
    return Number.isInteger(value) ? `${Object.is(value, -0) ? "-0" : value}.0` : String(value);
  }

  // A text in quotes, in one line, at most 60 signs long, as messages show it.
  function short(text) {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    const named = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "'": quote === "'" ? "\\'" : "'" };
    const inside = text.replace(/[\\\n\r\t'\x00-\x1f\x7f-\xa0\xad]/g, (sign) =>
      named[sign] ?? `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
    const shown = quote + inside + quote;
    return [...shown].length <= 60 ? shown : [...shown].slice(0, 57).join("") + "...";
  }

  // The accepted risk, in (0, 1), as the exact fraction meant: "1/3", "0.33", or a float as it is.
  function parseRisk(value) {
    if (typeof value === "number") {
      if (!(value > 0 && value < 1)) throw new Error(`risk must lie in (0, 1), got ${written(value)}`);
      return dp.asFraction(value);
    }
    if (typeof value !== "string") throw new Error(`risk must be a number, got ${String(value)}`);
    const text = value.trim();
    const refusal = new Error(`risk must be written like 1/3 or 0.33, got ${short(value)}`);
    const parts = /^([+-]?\d+)\/(\d+)$/.exec(text);
    if (!parts && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw refusal;
    const size = Number(text);
    if (!parts && !(size > 0 && size <= 1)) throw new Error(`risk must lie in (0, 1), got ${short(value)}`);
    if (value.length > MOST_DIGITS || (parts && !BigInt(parts[2]))) throw refusal;
    const exact = parts ? dp.fraction(BigInt(parts[1]), BigInt(parts[2])) : dp.ofDecimal(text);
    if (exact.n <= 0n || exact.n >= exact.d) throw new Error(`risk must lie in (0, 1), got ${value}`);
    return exact;
  }

  // A positive fraction times 10**digits as a whole number: "down", "up" or to the "nearest" (ties to even).
  function scaled(value, digits, rounding) {
    const n = digits >= 0 ? value.n * 10n ** BigInt(digits) : value.n;
    const d = digits >= 0 ? value.d : value.d * 10n ** BigInt(-digits);
    const floor = n / d, left = n - floor * d;
    if (!left || rounding === "down") return floor;
    if (rounding === "up") return floor + 1n;
    const twice = 2n * left;
    return twice > d || (twice === d && floor & 1n) ? floor + 1n : floor;
  }

  // A whole number divided by 10**digits, written out.
  function pointed(whole, digits) {
    if (digits <= 0) return String(whole * 10n ** BigInt(-digits));
    const text = String(whole).padStart(digits + 1, "0");
    return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  }

  // A float of at least 0 with so many digits after the point.
  const fixed = (value, digits) => pointed(scaled(dp.asFraction(value), digits, "nearest"), digits);

  // The power of ten of the first digit of a positive fraction.
  function magnitude(value) {
    let power = Math.floor(dp.log(value) / Math.LN10);
    const reaches = (p) => dp.compare(value, p >= 0 ? { n: 10n ** BigInt(p), d: 1n } : { n: 1n, d: 10n ** BigInt(-p) }) >= 0;
    while (!reaches(power)) power--;
    while (reaches(power + 1)) power++;
    return power;
  }

  // Four digits and a power of ten: 1.311e-15.
  function inPowers(exact, power, value, rounding) {
    const as = (whole) => `${String(whole)[0]}.${String(whole).slice(1, 4)}e${power - 4 + String(whole).length}`;
    const nearest = as(scaled(exact, 3 - power, "nearest"));
    return Number(nearest) === value ? nearest : as(scaled(exact, 3 - power, rounding));
  }

  function rounded(value, digits, rounding, unbounded) {
    if (!(value >= 0)) throw new Error(`value must lie in [0, inf], got ${written(value)}`);
    if (value === Infinity) return unbounded;
    const exact = dp.asFraction(value), power = value > 0 ? magnitude(exact) : 0;
    if (power > LARGE) return written(value);
    if (value && power < SMALL && digits <= 3 - power) return inPowers(exact, power, value, rounding);
    const places = value > 0 ? Math.max(digits, 3 - power) : digits;
    const nearest = pointed(scaled(exact, places, "nearest"), places);
    return Number(nearest) === value ? nearest : pointed(scaled(exact, places, rounding), places);
  }

  // An epsilon as it may be shown, with four digits after the point, or more to show four that count.
  const roundDown = (value, digits = 4) => rounded(value, digits, "down", "any");

  // A noise scale, a half-width or a risk as it may be shown.
  const roundUp = (value, digits = 4) => rounded(value, digits, "up", "infinite");

  // A float with so many digits that count, as %g writes it.
  function general(value, digits) {
    if (value === 0) return "0";
    if (value < 0) return `-${general(-value, digits)}`;
    if (!Number.isFinite(value)) return written(value);
    const exact = dp.asFraction(value);
    let power = magnitude(exact);
    if (scaled(exact, digits - 1 - power, "nearest") >= 10n ** BigInt(digits)) power++;
    const whole = String(scaled(exact, digits - 1 - power, "nearest"));
    const strip = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
    if (power < -4 || power >= digits) {
      const sign = power < 0 ? "-" : "+";
      return `${strip(`${whole[0]}.${whole.slice(1)}`)}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
    }
    return strip(pointed(BigInt(whole), digits - 1 - power));
  }

  // A probability as it is read: itself while it is short, and a decimal.
  function show(value) {
    const text = value.n * 10n ** 300n > value.d
      ? general(dp.quotient(value.n, value.d), 6)
      : `1e${Math.round(dp.log(value) / Math.LN10)}`;
    return value.d > 1n && value.d < 1000000n ? `${value.n}/${value.d} = ${text}` : text;
  }

  // A probability in per cent, rounded up; 100 is said of nothing less. What exceeds a short number by rounding alone is
  // that number, and what would be rounded up past a third is a third.
  function chance(value) {
    for (const thirds of [1, 2]) {
      if (0.333 * thirds < value && value <= thirds / 3 * (1 + ROUNDING)) return `${thirds}/3`;
    }
    const percent = dp.asFraction(value);
    percent.n *= 100n;
    let whole, digits = 1;
    for (; digits < 18; digits++) {
      const nearest = scaled(percent, digits, "nearest");
      const back = Number(pointed(nearest, digits + 2));
      const asItIs = back === value || (back < 1 && Math.abs(back - value) <= ROUNDING * value);
      whole = asItIs ? nearest : scaled(percent, digits, "up");
      if ((whole < 100n * 10n ** BigInt(digits) && whole > 10n) || value === 0 || value === 1 || asItIs) break;
    }
    return `${pointed(whole, Math.min(digits, 17)).replace(/0+$/, "").replace(/\.$/, "")}%`;
  }

  // A whole number with its thousands parted: 1,000,000.
  const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

  return { written, short, parseRisk, fixed, roundDown, roundUp, general, show, chance, grouped };
});
