// Records that cannot be told apart beside each other, and values that look as if they stood for a missing one: see
// dpchoose/data/codes.py and dpchoose/worlds/answers.py.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const FAR = 1000, APART = 5; // times all others: for any value, and for one that is used as a code
  const FILLS = [1e20, 1e30, 1e35, 9.96921e36, -9.96921e36, 32767, -32768, 2147483647, -2147483648];
  const NINES = /^-?9{3,}(\.0*|\.9+)?$/;
  const WIDEST = 400, TOLD = 46; // binary digits: of a record, and of answers that floats tell apart

  // How many binary digits the records need beside each other, and the two that need them.
  function digitsOf(values) {
    let high = -Infinity, low = Infinity, most = 0, least = 0;
    for (const value of values) {
      if (!value) continue;
      let [top, bottom] = exponents(value);
      if (top > high) [high, most] = [top, value];
      if (bottom < low) [low, least] = [bottom, value];
    }
    return { digits: high > -Infinity ? high - low : 0, low: high > -Infinity ? low : 0, most, least };
  }

  // A record as a whole number of the unit 2**power, which holds its last digit.
  const wholeOf = (value, power) => BigInt(value * 2 ** -power);

  const bits = new DataView(new ArrayBuffer(8));

  // The powers of two above a number and at its last digit.
  function exponents(value) {
    bits.setFloat64(0, value);
    const high = bits.getUint32(0), rest = bits.getUint32(4), exponent = ((high >>> 20) & 0x7ff) - 1075;
    const share = rest || (high & 0xfffff) | 0x100000; // the lower half that holds a digit
    const last = 31 - Math.clz32(share & -share) + (rest ? 0 : 32);
    return [exponent + 53, exponent + last];
  }

  // Refuse records of which no pair of floats holds one beside the other.
  function refuseTooFarApart(values) {
    const { digits, most, least } = digitsOf(values);
    if (digits <= WIDEST) return;
    throw new Error("universe must hold values that can be told apart beside each other, got " +
      `${dp.general(most, 6)} and ${dp.general(least, 6)}, which are too far apart: is one of them a code for a missing value?`);
  }

  // Whether floats tell all answers apart, so that those that look equal are.
  function isTold({ query, values }, size) {
    if (query === "count") return true;
    const { low } = digitsOf(values), range = values.reduce((a, b) => Math.max(a, b), -Infinity) - values.reduce((a, b) => Math.min(a, b), Infinity);
    const digits = range > 0 ? Math.log2(range) - low : 0;
    if (query === "var" || query === "std") return 2 * (digits + Math.log2(size)) <= TOLD;
    return digits + (query === "sum" || query === "mean" ? Math.log2(size) : 10) <= TOLD;
  }

  const isWrittenAsCode = (value) => (Math.abs(value) < 1e15 && NINES.test(value.toFixed(10).replace(/0+$/, "")))
    || FILLS.some((fill) => Math.abs(value - fill) <= 1e-6 * Math.max(Math.abs(value), Math.abs(fill)));

  // The value that looks like a code, or null.
  function codeAmong(values) {
    let largest = values[0], least = values[0];
    for (const value of values) {
      if (Math.abs(value) > Math.abs(largest)) largest = value;
      if (value < least) least = value;
    }
    for (const far of new Set([largest, least])) {
      let most = 0, low = Infinity, high = -Infinity;
      for (const value of values) {
        if (value === far) continue;
        most = Math.max(most, Math.abs(value));
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      if (!most || low === high) continue;
      if (Math.abs(far) >= FAR * most || (isWrittenAsCode(far) && (Math.abs(far) >= APART * most || (far < 0 && low >= 0)))) return far;
    }
    return null;
  }

  // A line of warning where a value looks like a code for a missing one, or "".
  function warningOf(values, name) {
    const code = codeAmong(values);
    if (code === null) return "";
    const count = values.reduce((sum, value) => sum + (value === code), 0);
    return `${name} holds ${dp.general(code, 6)} in ${dp.grouped(count)} record${count > 1 ? "s" : ""}, far from all other values: ` +
      "is it a code for a missing one? The noise that keeps such a value secret is large";
  }

  return { digitsOf, wholeOf, refuseTooFarApart, isTold, codeAmong, warningOf };
});
