// Numbers as they are written, and as they may be shown: an epsilon never more than it is; a scale,
// an error, a risk or a factor never less. The rules are those of dpchoose/numbers.py. The page and
// its worker share what the files in this folder add to dpchoose.
((dp) => {
  "use strict";
  // The one kind of error that is a sentence for the reader; `asks` is what has to be chosen before
  // there can be an answer: { name, choices }.
  class Refusal extends Error {
    constructor(message, asks = null) {
      super(message);
      this.asks = asks;
    }
  }
  const refuse = (message, asks) => {
    throw new Refusal(message, asks);
  };
  // A sentence of the package with its names filled in.
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const { words } = dp,
    NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?$/;
  const { MOST_DIGITS, SURE, CLOSE } = words;
  const power10 = (digits) => 10n ** BigInt(digits);
  // A float n/d of two whole numbers of any size.
  function quotient(n, d) {
    if (n < 0n) return -quotient(-n, d);
    if (n < 2n ** 53n && d < 2n ** 53n) return Number(n) / Number(d);
    const shift = d.toString(2).length - n.toString(2).length + 70;
    const whole = shift > 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift));
    return (
      Number(whole) *
      2 ** -Math.max(-1000, Math.min(shift, 1000)) *
      2 ** -(shift - Math.max(-1000, Math.min(shift, 1000)))
    );
  }

  function lowest(n, d) {
    let [a, b] = [n < 0n ? -n : n, d];
    while (b) [a, b] = [b, a % b];
    return { n: n / (a || 1n), d: d / (a || 1n) };
  }
  // A plain decimal, as the exact fraction { n, d }.
  function ofDecimal(text) {
    const [digits, power = "0"] = text.toLowerCase().split("e"),
      [whole, part = ""] = digits.split(".");
    const scale = part.length - Number(power),
      n = BigInt(`${whole.replace("+", "")}${part}`.replace(/^-?$/, "$&0"));
    return scale > 0 ? lowest(n, power10(scale)) : { n: n * power10(-scale), d: 1n };
  }
  // 0.05, "0,05", "5%" and "1/3" as the exact fraction that is meant.
  function parseNumber(given, name) {
    const text = String(given).trim();
    if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?%?$/.test(text)) {
      refuse(
        fill(words.THOUSANDS, {
          name,
          got: text,
          whole: text.replaceAll(",", ""),
          decimal: text.replace(",", "."),
        }),
      );
    }
    const terms = text
      .replace(/%$/, "")
      .replace(",", ".")
      .split("/")
      .map((term) => term.trim());
    const good =
      text.length <= MOST_DIGITS && terms.length <= 2 && terms.every((term) => NUMBER.test(term));
    const [top, below = { n: 1n, d: 1n }] = good ? terms.map(ofDecimal) : [];
    if (!good || !below.n)
      refuse(
        fill(words.WRITTEN_LIKE, {
          name,
          got: text ? `'${text.slice(0, MOST_DIGITS)}'` : "nothing",
        }),
      );
    const sign = below.n < 0n ? -1n : 1n;
    return lowest(
      sign * top.n * below.d,
      sign * top.d * below.n * (text.endsWith("%") ? 100n : 1n),
    );
  }

  // A plain number, neither a fraction nor in per cent.
  function parsePlain(given, name) {
    if (/[%/]/.test(given) || !/\d/.test(given))
      refuse(`${name} must be a number such as 3 or 2.5, got ${given ? `'${given}'` : "nothing"}`);
    return parseNumber(given, name);
  }

  function parseRisk(given, name = "risk") {
    const exact = parseNumber(given, name);
    if (exact.n <= 0n || exact.n >= exact.d) refuse(fill(words.IN_0_1, { name, got: given }));
    return exact;
  }

  const float = ({ n, d }) => quotient(n, d);
  // The natural logarithm of a positive fraction.
  function log(value) {
    const near = float(value);
    return near > 0.5 && near < 2
      ? Math.log1p(quotient(value.n - value.d, value.d))
      : Math.log(near);
  }
  // The odds of a probability, as a fraction.
  const oddsOf = ({ n, d }) => ({ n, d: d - n });
  // One unit of the last digit more or less than a decimal that is written out.
  function bumped(text, by) {
    const [digits, power] = text.split("e"),
      places = (digits.split(".")[1] ?? "").length;
    const whole = String(BigInt(digits.replace(".", "")) + by).padStart(places + 1, "0");
    const shown = places ? `${whole.slice(0, -places)}.${whole.slice(-places)}` : whole;
    if (power === undefined) return shown;
    return shown.startsWith("10")
      ? `1.${"0".repeat(places)}e${Number(power) + 1}`
      : `${shown}e${power}`;
  }
  // Up or down to what is written, unless that is the number itself.
  function toward(value, near, up) {
    return Number(near) === value || Number(near) > value === up
      ? near
      : bumped(near, up ? 1n : -1n);
  }

  function rounded(value, digits, up) {
    if (value === Infinity) return words.NO_LIMIT;
    const power = value ? Number(value.toExponential(20).split("e")[1]) : 0;
    if (power > 15) return String(value);
    const places = value ? Math.max(digits, 3 - power) : digits;
    if (value && power < -6) return toward(value, value.toExponential(3), up);
    return toward(value, value.toFixed(places), up);
  }
  const roundUp = (value, digits = 4) => rounded(value, digits, true);
  const roundDown = (value, digits = 4) => rounded(value, digits, false);
  // A probability in per cent, rounded up; 100 is said of nothing less, and a third is a third.
  function chance(value) {
    for (const thirds of [1, 2])
      if (0.333 * thirds < value && value <= (thirds / 3) * (1 + CLOSE)) return `${thirds}/3`;
    if ((value > 0 && value < SURE) || (value > 1 - SURE && value < 1))
      return `practically ${value < SURE ? 0 : 100}%`;
    let shown;
    for (let digits = 1; digits < 9; digits++) {
      shown = (100 * value).toFixed(digits);
      if (Math.abs(shown / 100 - value) <= CLOSE * value && (Number(shown) < 100 || value === 1))
        break;
      shown = toward(100 * value, shown, true);
      if (Number(shown) > 10 * 10 ** -digits && Number(shown) < 100) break;
    }
    return `${shown.replace(/\.?0+$/, "")}%`;
  }
  // As %g writes a number.
  function general(value, digits) {
    const [head, power] = value.toExponential(digits - 1).split("e"),
      plain = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
    if (power < -4 || power >= digits)
      return `${plain(head)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
    return plain(value.toFixed(Math.max(0, digits - 1 - power)));
  }
  // A probability before any answer, in per cent, to the nearest of four digits.
  function before(exact) {
    for (let digits = 4; ; digits++) {
      const shown = general(100 * float(exact), digits);
      if (exact.n === exact.d || Number(shown) < 100 || digits > 17) return `${shown}%`;
    }
  }
  // By how much odds grow, as the number that is printed: three digits, rounded up.
  const asFactor = (value) =>
    Number(toward(value * (1 - CLOSE), (value * (1 - CLOSE)).toExponential(2), true));
  const oneDigit = (value) =>
    Number.isFinite(value) ? Number(toward(value, value.toExponential(0), true)) : NaN;
  // An error as it is printed: two digits, rounded up.
  const twoDigits = (value) => {
    const close = value * (1 - CLOSE);
    return value ? Number(toward(close, close.toExponential(1), true)) : value;
  };
  function factor(value) {
    if (value === Infinity) return words.NO_LIMIT;
    return value > 1e6 ? words.OVER_A_MILLION : String(asFactor(value));
  }
  // A probability as so many of 100, rounded up.
  const of100 = (value) => Math.ceil(100 * value - 1e-9);
  // A fraction as it is read: itself while it is short, and a decimal.
  function show(exact) {
    const text = general(float(exact), 6);
    return exact.d > 1n && exact.d < 1000000n ? `${exact.n}/${exact.d} = ${text}` : text;
  }

  const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
  // A text in quotes, in one line, at most 60 signs long.
  const short = (text) => (text.length > 60 ? `'${text.slice(0, 57)}...` : `'${text}'`);

  Object.assign(dp, {
    Refusal,
    refuse,
    fill,
    quotient,
    parseNumber,
    parsePlain,
    parseRisk,
    float,
    log,
    oddsOf,
    roundUp,
    roundDown,
    chance,
    general,
    before,
    asFactor,
    oneDigit,
    twoDigits,
    factor,
    of100,
    show,
    grouped,
    short,
  });
})(globalThis.dpchoose);
