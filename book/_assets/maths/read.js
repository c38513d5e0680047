// Reading a CSV file as it is, piece by piece: nothing is guessed, nothing is dropped in silence. The rules, and the
// sentences where they are broken, are those of dpchoose/data/read.py; rows are counted from 1 below the names.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const DELIMITERS = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" };
  const MISSING = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"];
  const LOOK = 100; // rows that decide between two delimiters
  const PIECE = 1 << 22; // bytes that are read at once
  const LARGEST_FILE = 2 ** 31, LARGEST_FIELD = 131072, MOST_COLUMNS = 1000;

  // A sentence, and what has to be chosen before the file can be read.
  class Refusal extends Error {
    constructor(message, asks = null) {
      super(message);
      this.asks = asks;
    }
  }

  // Rows out of text that comes in pieces: a field may stand in quotes, which are doubled within it.
  class Rows {
    constructor(delimiter) {
      this.delimiter = delimiter.charCodeAt(0);
      this.text = "";
    }

    // Take a piece; `take(fields)` is called with each whole row, and stops the reading where it returns false.
    feed(piece, last, take) {
      const text = this.text + piece, { length } = text, { delimiter } = this;
      let start = 0;
      while (start < length) {
        const fields = [];
        let at = start, ended = false;
        while (!ended) { // a field after the other
          while (at < length && text.charCodeAt(at) === 32 && delimiter !== 32) at++;
          let field, sign;
          if (text.charCodeAt(at) === 34) {
            let close = at, inside = at + 1;
            field = "";
            for (;;) {
              close = text.indexOf('"', inside);
              if (close < 0) break;
              if (text.charCodeAt(close + 1) !== 34) break;
              field += text.slice(inside, close + 1);
              inside = close + 2;
            }
            if (close < 0 || (close + 1 >= length && !last)) {
              if (!last) return this.keep(text, start);
              throw new Refusal("unexpected end of data");
            }
            field += text.slice(inside, close);
            at = close + 1;
            sign = text.charCodeAt(at);
            if (at < length && sign !== delimiter && sign !== 10 && sign !== 13) {
              throw new Refusal(`'${String.fromCharCode(delimiter)}' expected after '"'`);
            }
          } else {
            const begin = at;
            for (; at < length; at++) {
              sign = text.charCodeAt(at);
              if (sign === delimiter || sign === 10 || sign === 13) break;
            }
            field = text.slice(begin, at);
          }
          if (field.length > LARGEST_FIELD) throw new Refusal(`field larger than field limit (${LARGEST_FIELD})`);
          if (at >= length) {
            if (!last) return this.keep(text, start);
            ended = true;
          } else if (sign === 13 && at + 1 >= length && !last) {
            return this.keep(text, start);
          } else {
            ended = sign !== delimiter;
            at += sign === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 1;
          }
          if (fields.length || field || !ended || !blank(text, start)) fields.push(field);
          if (fields.length > MOST_COLUMNS) {
            throw new Refusal(`CSV file must have at most ${dp.grouped(MOST_COLUMNS)} columns to be read in a page, got more: ask dpchoose epsilon`);
          }
        }
        start = at;
        if (take(fields) === false) return false;
      }
      this.text = "";
      return true;
    }

    keep(text, start) {
      this.text = text.slice(start);
      return true;
    }
  }

  // Whether a line holds nothing at all: it is a row without fields.
  function blank(text, start) {
    const sign = text.charCodeAt(start);
    return start >= text.length || sign === 10 || sign === 13;
  }

  const named = (file) => dp.short(file.name ?? "the file");

  // Some bytes of a file, which may have been moved since it was chosen.
  async function bytesOf(file, from, to) {
    try {
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    } catch {
      throw new Refusal(`CSV file must be readable, got ${named(file)}, which is a folder, has changed or is gone: choose it again`);
    }
  }

  // The text of a file, piece by piece, with how much of it has been read.
  async function* pieces(file, encoding) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const wide = decoder.encoding.startsWith("utf-16");
    for (let start = 0; start < file.size || start === 0; start += PIECE) {
      const bytes = await bytesOf(file, start, start + PIECE), last = start + PIECE >= file.size;
      if (!wide && bytes.includes(0)) throw new Refusal(`CSV file must be text, got ${named(file)}: save the table as CSV`);
      let text;
      try {
        text = decoder.decode(bytes, { stream: !last });
      } catch {
        throw new Refusal(
          `CSV file must be text in ${decoder.encoding}, got other bytes: name its encoding, for example --encoding cp1252`,
          { name: "encoding", choices: ["cp1252"] },
        );
      }
      yield { text, last, done: Math.min(1, (start + PIECE) / file.size) };
    }
  }

  // What stands in front: whether it is text at all, and in which encoding.
  async function opened(file, encoding = "utf-8") {
    if (file.size >= LARGEST_FILE) {
      const size = (file.size / 2 ** 30).toFixed(1);
      throw new Refusal(`CSV file must be smaller than 2 GB to be read in a page, got ${size} GB in ${named(file)}: ask dpchoose epsilon`);
    }
    const head = await bytesOf(file, 0, 4), starts = (...bytes) => bytes.every((byte, i) => head[i] === byte);
    if (starts(0x1f, 0x8b)) throw new Refusal(`CSV file must be plain, got ${named(file)}, which is packed: unpack it first`);
    if (starts(0x50, 0x4b, 3, 4) || starts(0x50, 0x41, 0x52, 0x31)) {
      throw new Refusal(`CSV file must be text, got ${named(file)}: save the table as CSV`);
    }
    if (starts(0xff, 0xfe)) return "utf-16le";
    if (starts(0xfe, 0xff)) return "utf-16be";
    const known = { cp1252: "windows-1252", "latin-1": "windows-1252", "utf-8-sig": "utf-8", "utf-16": "utf-16le" };
    return known[encoding] ?? encoding;
  }

  // The delimiter that divides the first rows as it divides the names.
  function delimiterOf(text, whole, decimal) {
    const widths = new Map();
    let most = 1;
    for (const sign of Object.keys(DELIMITERS)) {
      const look = [];
      try {
        new Rows(sign).feed(text, whole, (fields) => look.push(fields.length) < LOOK);
      } catch {
        continue;
      }
      if (sign !== decimal && look[0] > 1) {
        widths.set(sign, look);
        most = Math.max(most, look[0]);
      }
    }
    const even = [...widths.keys()].filter((sign) => widths.get(sign).every((width) => width === widths.get(sign)[0] || !width));
    if (even.length > 1) {
      const names = even.map((sign) => DELIMITERS[sign]).join(" and ");
      throw new Refusal(
        `CSV file must be divided by one sign, got rows that ${names} divide alike: add --delimiter '${even[0]}' or another`,
        { name: "delimiter", choices: even },
      );
    }
    if (even.length) return even[0];
    const likely = [...widths.keys()].find((sign) => widths.get(sign)[0] === most);
    return likely ?? (decimal !== "," ? "," : ";");
  }

  // The names of the columns, in the order of the file; a column without a name is passed over.
  function namesOf(fields) {
    const names = fields.map((field) => field.trim());
    const met = new Set(), twice = names.find((name) => name && met.size === met.add(name).size);
    if (twice !== undefined) throw new Refusal(`CSV file must name each column once, got ${dp.short(twice)} twice`);
    if (!names.some(Boolean)) throw new Refusal("CSV file must begin with the names of its columns, got a line without");
    return names;
  }

  // Read a file once: `begin(names)`, then `take(fields, row)` with each row, null where a value is missing.
  // Gives { names, rows, delimiter, encoding }; `tell(share)` says how far it is.
  async function readTable(file, how, begin, take, tell = () => {}) {
    const { decimal = ".", missing = [] } = how, encoding = await opened(file, how.encoding);
    const absent = new Set([...MISSING, ...missing]);
    let delimiter = how.delimiter || null, rows = null, names = null, number = 0, blankRow = 0, anything = false;
    const even = (fields) => {
      if (!names) {
        names = namesOf(fields);
        begin(names);
        return;
      }
      number++;
      if (fields.length === names.length && !blankRow) take(fields, number, absent);
      else if (!fields.length && names.length === 1) take([""], number, absent);
      else if (!fields.length) blankRow ||= number; // at the end of a file it says nothing
      else if (blankRow) throw new Refusal(`CSV file must hold a record in every row, got none in row ${blankRow}`);
      else {
        const hint = delimiter === "," && fields.length > names.length ? ": if that is a decimal comma, add --decimal ," : "";
        throw new Refusal(
          `CSV file must have ${names.length} field${names.length > 1 ? "s" : ""} in every row, as in its names, got ` +
          `${fields.length} in row ${number}, ${dp.short(fields.join(delimiter))}${hint}`,
          hint ? { name: "decimal", choices: [","] } : null,
        );
      }
    };
    try {
      for await (const { text, last, done } of pieces(file, encoding)) {
        anything ||= /\S/.test(text);
        if (last && !anything) throw new Refusal(`CSV file must not be empty, got ${named(file)}`);
        delimiter ??= delimiterOf(text, last, decimal);
        rows ??= new Rows(delimiter);
        rows.feed(text, last, even);
        tell(done);
      }
    } catch (error) {
      if (/^(unexpected end|'.' expected|field larger)/.test(error.message)) {
        throw new Refusal(`CSV file must be well formed, got ${named(file)}: ${error.message}`, { row: number + 1 });
      }
      throw error;
    }
    const count = blankRow ? blankRow - 1 : number;
    if (!names || !count) throw new Refusal(`CSV file must hold records, got only column names in ${named(file)}`);
    return { names, rows: count, delimiter, encoding };
  }

  return { Refusal, Rows, readTable };
});
