// Numbers as they are written, and as they may be shown: an epsilon never more than it is; a scale,
// an error, a risk or a factor never less. The rules are those of dpchoose/numbers.py. The page and
// its worker share what the files in this folder add to dpchoose.
((dp) => {
  "use strict";
  // The one kind of error that is a sentence for the reader; its choices are the ways out, each
  // { words } of a button, and what is meant by it.
  class Refusal extends Error {
    constructor(message, choices = []) {
      super(message);
      this.choices = choices;
    }
  }
  const refuse = (message, choices) => {
    throw new Refusal(message, choices);
  };
  // A sentence of the package with its names filled in.
  const fill = (text, values) => text.replace(/\{(\w+)(?::,)?\}/g, (_, name) => values[name]);

  const { words } = dp;
  const { MOST_DIGITS, SURE, CLOSE } = words;
  const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?$/;
  // 0.05, "0,05", "5%" and "1/3" as the number that is meant.
  function parseNumber(given, name) {
    const text = String(given).trim();
    if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?%?$/.test(text)) {
      const ways = { whole: text.replaceAll(",", ""), decimal: text.replace(",", ".") };
      refuse(fill(words.THOUSANDS, { name, got: text, ...ways }));
    }
    const terms = text.replace(/%$/, "").replace(",", ".").split("/");
    const [top, below = 1] = terms.map((term) => (NUMBER.test(term.trim()) ? Number(term) : NaN));
    const value = top / below / (text.endsWith("%") ? 100 : 1);
    if (terms.length > 2 || text.length > MOST_DIGITS || !Number.isFinite(value)) {
      const got = text ? `'${text.slice(0, MOST_DIGITS)}'` : "nothing";
      refuse(fill(words.WRITTEN_LIKE, { name, got }));
    }
    return value;
  }
  // A plain number, neither a fraction nor in per cent.
  function parsePlain(given, name) {
    if (/[%/]/.test(given) || !/\d/.test(given))
      refuse(`${name} must be a number such as 3 or 2.5, got ${given ? `'${given}'` : "nothing"}`);
    return parseNumber(given, name);
  }
  function parseRisk(given, name = "risk") {
    const value = parseNumber(given, name);
    if (!(value > 0 && value < 1)) refuse(fill(words.IN_0_1, { name, got: given }));
    return value;
  }

  const formats = new Map();
  // A number as Intl writes it, rounded "ceil" or "floor" of the shortest decimal that it is.
  function written(value, options) {
    const key = JSON.stringify(options);
    if (!formats.has(key))
      formats.set(key, new Intl.NumberFormat("en", { useGrouping: false, ...options }));
    return formats.get(key).format(value).toLowerCase();
  }
  const toDigits = (value, maximumSignificantDigits) =>
    Number.isFinite(value)
      ? Number(written(value, { maximumSignificantDigits, roundingMode: "ceil" }))
      : value;
  // To four digits after the point, or as many as it takes to show four that count.
  function rounded(value, roundingMode) {
    if (value === Infinity) return words.NO_LIMIT;
    const power = value ? Number(value.toExponential().split("e")[1]) : 0;
    if (power > 15) return String(value);
    const small = power < -6,
      digits = small ? 3 : Math.max(4, 3 - power);
    const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return written(value, { ...places, roundingMode, notation: small ? "scientific" : "standard" });
  }
  // A probability in per cent, rounded up; 100 is said of nothing less, and a third is a third,
  // unless thirds are none.
  function chance(value, thirds = [1, 2]) {
    for (const third of thirds)
      if (0.333 * third < value && value <= (third / 3) * (1 + CLOSE)) return `${third}/3`;
    if ((value > 0 && value < SURE) || (value > 1 - SURE && value < 1))
      return `practically ${value < SURE ? 0 : 100}%`;
    let shown;
    for (let digits = 1; digits < 9; digits++) {
      const near = Number((100 * value).toFixed(digits)),
        close = Math.abs(near / 100 - value) <= CLOSE * value && (near < 100 || value === 1);
      const up = { maximumFractionDigits: digits, roundingMode: "ceil" };
      shown = close ? near : Number(written(100 * value, up));
      if (close || (shown > 10 ** (1 - digits) && shown < 100)) break;
    }
    return `${shown}%`;
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
  function before(value) {
    for (let digits = 4; ; digits++) {
      const shown = general(100 * value, digits);
      if (Number(shown) < 100 || digits > 17) return `${shown}%`;
    }
  }
  // By how much odds grow: three digits, rounded up.
  const asFactor = (value) => toDigits(value * (1 - CLOSE), 3);
  function factor(value) {
    if (value === Infinity) return words.NO_LIMIT;
    return value > 1e6 ? words.OVER_A_MILLION : String(asFactor(value));
  }

  Object.assign(dp, {
    Refusal,
    refuse,
    fill,
    parsePlain,
    parseRisk,
    chance,
    before,
    asFactor,
    factor,
    roundUp: (value) => rounded(value, "ceil"),
    roundDown: (value) => rounded(value, "floor"),
    oneDigit: (value) => toDigits(value, 1),
    // An error as it is printed: two digits, rounded up.
    twoDigits: (value) => toDigits(value * (1 - CLOSE), 2),
    // A number as it stands in a table.
    inTable: (value) =>
      value && !(Math.abs(value) >= 1e-6 && Math.abs(value) < 1e15)
        ? general(value, 6)
        : String(value),
    // A probability as so many of 100, rounded up; above 99 to as many digits as stay below 100.
    of100: (value) => {
      const ups = [1, 10, 100, 1000, 1e4].map(
        (unit) => Math.ceil(100 * value * unit - 1e-9) / unit,
      );
      return ups.find((up) => up < 100) ?? 100;
    },
    grouped: (value) => value.toLocaleString("en"),
    // A text in quotes, in one line, at most 60 signs long.
    short: (text) => (text.length > 60 ? `'${text.slice(0, 57)}...` : `'${text}'`),
  });
})(globalThis.dpchoose);
