// What a column of text means: numbers, labels, who is released, whose row it is. The rules are those of
// dpchoose/data/read.py.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const PAIRS = [["0", "1"], ["false", "true"], ["no", "yes"]];
  const SMALLEST = 1e-100, LARGEST = 1e100, WHOLE = 2 ** 53;
  const FEW = 20; // different entries that are kept to be shown
  const MOST_BAD = 1000; // entries that are no numbers, of which one may be in a row that is left out
  const COMMA = { name: "comma", choices: ["decimal", "thousands"] };

  // How numbers are written: a function from text to a number, or to the rule that it breaks and what to do about it.
  function numbersLike({ decimal = ".", thousands = "" }) {
    if (![".", ","].includes(decimal) || !["", ".", ",", " ", "'"].includes(thousands) || thousands === decimal) {
      throw new dp.Refusal("decimal must be . or , and thousands another of . , ' and space, got " +
        `${dp.short(decimal)} and ${dp.short(thousands)}`);
    }
    const escaped = (sign) => sign.replace(".", "\\.");
    const grouped = thousands ? `|\\d{1,3}(?:${escaped(thousands)}\\d{3})+` : "", point = escaped(decimal);
    const written = new RegExp(`^[+-]?(?:(?:\\d+${grouped})(?:${point}\\d*)?|${point}\\d+)(?:[eE][+-]?\\d+)?$`);
    return (text) => {
      if (!written.test(text)) {
        const hint = text.includes(",") ? ": add --decimal , or --thousands , to say what its comma is" : "";
        return { rule: "finite numbers", hint };
      }
      let plain = thousands ? text.replaceAll(thousands, "") : text;
      if (decimal !== ".") plain = plain.replace(decimal, ".");
      const value = Number(plain), size = Math.abs(value);
      if (size >= SMALLEST && size < WHOLE) return value;
      if (value === 0 && !/[1-9]/.test(plain.split(/[eE]/)[0])) return value;
      if (!(size >= SMALLEST && size <= LARGEST)) return { rule: "0 or numbers from 1e-100 to 1e100 in size", hint: "" };
      if (/^[+-]?\d+\.?0*$/.test(plain) && BigInt(value) !== BigInt(plain.split(".")[0].replace("+", ""))) {
        return { rule: "integers that a float can tell apart", hint: ": count from another origin" };
      }
      return value;
    };
  }

  // What is found out about a column while it goes by.
  class Look {
    constructor(name, asNumber) {
      Object.assign(this, { name, asNumber, missing: 0, firstMissing: 0, rows: 0, bad: null, onlyTruth: true, seen: new Set() });
    }

    take(text, row) {
      this.rows++;
      if (text === null) {
        this.firstMissing ||= row;
        this.missing++;
        return;
      }
      if (this.seen.size <= FEW) this.seen.add(text);
      if (this.onlyTruth && !/^(true|false)$/i.test(text)) this.onlyTruth = false;
      if (!this.bad) {
        const found = this.asNumber(text);
        if (typeof found !== "number") this.bad = { ...found, text, row };
      }
    }

    // { name, kind, missing, firstMissing, distinct, some, error, asks }: `some` are the first few entries, `distinct` their
    // number, Infinity where there are more; `error` says why the column cannot be asked.
    summary() {
      const { name, missing, firstMissing, bad } = this, some = [...this.seen].slice(0, FEW);
      const kind = missing === this.rows ? "empty" : this.onlyTruth ? "truth" : bad ? "text" : "number";
      const distinct = this.seen.size > FEW ? Infinity : this.seen.size;
      const error = kind === "text" ? refusalOf(name, bad) : "";
      return { name, kind, missing, firstMissing, distinct, some, error, asks: kind === "text" && bad.hint.includes("comma") ? "comma" : null };
    }
  }

  const refusalOf = (name, bad) => `column ${name} must hold ${bad.rule}, got ${dp.short(bad.text)} in row ${bad.row}${bad.hint}`;

  // A column that is kept: numbers as floats (NaN where missing), or texts, each different one once (-1 where missing).
  class Kept {
    constructor(name, asNumber) {
      Object.assign(this, { name, asNumber, size: 0, data: asNumber ? new Float64Array(1 << 12) : new Int32Array(1 << 12) });
      Object.assign(this, { texts: [], codes: new Map(), onlyTruth: true, bad: [] });
    }

    take(text, row) {
      if (this.size === this.data.length) {
        const more = new this.data.constructor(2 * this.size);
        more.set(this.data);
        this.data = more;
      }
      this.data[this.size++] = this.asNumber ? this.number(text, row) : this.code(text);
    }

    number(text, row) {
      if (text === null) return NaN;
      const truth = /^(true|false)$/i.test(text), found = this.asNumber(text);
      if (!truth) this.onlyTruth = false;
      if (typeof found === "number") return found;
      if (this.bad.length < MOST_BAD) this.bad.push({ ...found, text, row });
      return truth ? Number(text.length === 4) : NaN;
    }

    // Refuse the first entry that is no number, unless all are true and false, or its row is left out.
    check(isKept) {
      const bad = this.onlyTruth ? undefined : this.bad.find((one) => isKept(one.row));
      if (bad) throw new dp.Refusal(refusalOf(this.name, bad), bad.hint.includes("comma") ? COMMA : null);
    }

    code(text) {
      if (text === null) return -1;
      if (!this.codes.has(text)) {
        this.codes.set(text, this.texts.length);
        this.texts.push(text);
      }
      return this.codes.get(text);
    }

    get values() {
      return this.data.subarray(0, this.size);
    }

    text(place) {
      return this.values[place] < 0 ? null : this.texts[this.values[place]];
    }
  }

  // Who is released, from a column of 0 and 1, false and true, or no and yes; rows[i] is the number of the i-th row.
  function releasedOf(column, rows) {
    labelled(column, rows);
    const words = column.texts.map((text) => text.toLowerCase()), first = words[column.values[0]];
    const pair = PAIRS.find((one) => one.includes(first)) ?? PAIRS[0];
    const chosen = new Uint8Array(column.size);
    let count = 0;
    for (let i = 0; i < column.size; i++) {
      const word = words[column.values[i]];
      if (!pair.includes(word)) {
        throw new dp.Refusal(`column ${column.name} must hold 0 and 1, false and true, or no and yes, got ` +
          `${dp.short(column.text(i))} in row ${rows(i)}`);
      }
      chosen[i] = word === pair[1] ? 1 : 0;
      count += chosen[i];
    }
    if (count === chosen.length) {
      throw new dp.Refusal(`column ${column.name} must leave a row out, got all ${count} released: where all rows are published ` +
        "there is no promise");
    }
    if (!count) throw new dp.Refusal(`column ${column.name} must release a row, got none of ${chosen.length}`);
    return count;
  }

  // Refuse a label that is missing, with its row.
  function labelled(column, rows) {
    for (let i = 0; i < column.size; i++) {
      if (column.values[i] < 0) throw new dp.Refusal(`column ${column.name} must label every row, got none in row ${rows(i)}`);
    }
  }

  // Refuse a file in which a person has several rows.
  function oneRowEach(column, rows) {
    labelled(column, rows);
    const counts = new Int32Array(column.texts.length);
    for (let i = 0; i < column.size; i++) counts[column.values[i]]++;
    const several = counts.reduce((sum, count) => sum + (count > 1), 0);
    if (several) {
      throw new dp.Refusal(`column ${column.name} must name each person once, got ${several} person${several > 1 ? "s" : ""} ` +
        `with several rows (up to ${counts.reduce((a, b) => Math.max(a, b))}): make one row of each person first`);
    }
  }

  return { numbersLike, Look, Kept, refusalOf, releasedOf, labelled, oneRowEach };
});
