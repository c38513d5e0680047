// A CSV file, read once and as it stands: Papa Parse divides its text into fields; what they mean, and what is refused, follows
// dpchoose/data/read.py. Nothing is guessed, nothing is dropped in silence; rows are counted from 1 below the names.
dpchoose.part((dp) => {
  "use strict";
  const DELIMITERS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };
  const MISSING = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"];
  const PIECE = 1 << 21; // bytes that are read at once
  const LARGEST_FILE = 2 ** 31, MOST_COLUMNS = 1000, FEW = 1000, LABELS = 1e5, MOST_TEXTS = 4e6; // different entries that make groups, of all columns, and of texts
  const SMALLEST = 1e-100, LARGEST = 1e100, WHOLE = 2 ** 53;
  const ENCODINGS = { cp1252: "windows-1252", "latin-1": "windows-1252", "utf-8-sig": "utf-8", "utf-16": "utf-16le" };

  const bytesOf = async (file, from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer().catch(() =>
    dp.refuse(`${dp.short(file.name)} cannot be read: it is a folder, has changed or is gone. Choose it again`)));
  // The encoding that the first bytes tell; what is no text is refused.
  async function encodingOf(file, encoding = "utf-8") {
    if (file.size >= LARGEST_FILE) dp.refuse(`${dp.short(file.name)} must be smaller than 2 GB to be read in a page: ask dpchoose epsilon`);
    const head = await bytesOf(file, 0, 4), starts = (...bytes) => bytes.every((byte, i) => head[i] === byte);
    if (starts(0x50, 0x4b, 3, 4) || starts(0x50, 0x41, 0x52, 0x31)) dp.refuse(`${dp.short(file.name)} is an Excel or Parquet file: save the table as CSV`);
    if (starts(0x1f, 0x8b)) dp.refuse(`${dp.short(file.name)} is packed: unpack it first`);
    return starts(0xff, 0xfe) ? "utf-16le" : starts(0xfe, 0xff) ? "utf-16be" : (ENCODINGS[encoding] ?? encoding);
  }
  // The text of a file, piece by piece.
  async function* pieces(file, encoding) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    for (let start = 0; start < file.size || start === 0; start += PIECE) {
      const bytes = await bytesOf(file, start, start + PIECE), last = start + PIECE >= file.size;
      let text = "";
      try {
        if (!encoding.startsWith("utf-16") && bytes.includes(0)) throw new Error("not a text");
        text = decoder.decode(bytes, { stream: !last });
      } catch (error) {
        if (error.message === "not a text") dp.refuse(`${dp.short(file.name)} is not a table of text: save the table as CSV`);
        dp.refuse(`${dp.short(file.name)} is not text in ${encoding}: say how it is written`, { name: "encoding", choices: ["cp1252", "utf-16"] });
      }
      yield { text, last, done: Math.min(1, (start + PIECE) / file.size) };
    }
  }
  // The one sign that divides the first line.
  function delimiterOf(text, decimal, file) {
    if (/^\s*<(!doctype|html|\?xml)/i.test(text)) dp.refuse(`${dp.short(file.name)} is a page of the web: save the table as CSV`);
    if (/^sep=/i.test(text)) dp.refuse(`The first line of ${dp.short(file.name)} is ${dp.short(text.split(/[\r\n]/, 1)[0])}, a note for Excel: take it out`);
    const first = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1)[0], signs = Object.keys(DELIMITERS).filter((sign) => sign !== decimal);
    const found = signs.filter((sign) => first.includes(sign));
    if (found.length < 2) return found[0] ?? signs[0];
    return dp.refuse(`The first line of ${dp.short(file.name)} has ${found.map((sign) => DELIMITERS[sign]).join(" and ")}: say which of them divides it`,
      { name: "delimiter", choices: found });
  }
  // How numbers are written: text to a number, or to the rule that it breaks.
  function numbersLike({ decimal = ".", thousands = "" }) {
    const sign = thousands.replace(".", "\\."), point = decimal.replace(".", "\\.");
    const whole = thousands ? `\\d+|\\d{1,3}(?:${sign}\\d{3})+` : "\\d+";
    const written = new RegExp(`^[+-]?(?:(?:${whole})(?:${point}\\d*)?|${point}\\d+)(?:[eE][+-]?\\d+)?$`);
    return (text) => {
      if (!written.test(text)) return "numbers";
      const plain = (thousands ? text.replaceAll(thousands, "") : text).replace(decimal, "."), value = Number(plain), size = Math.abs(value);
      if (size >= SMALLEST && size < WHOLE) return value;
      if (!(size >= SMALLEST && size <= LARGEST)) return /^[^eE]*[1-9]/.test(plain) ? "0 or numbers from 1e-100 to 1e100 in size" : value;
      return /^[+-]?\d+\.?0*$/.test(plain) && BigInt(value) !== BigInt(plain.split(".")[0].replace("+", "")) ? "integers that a float can tell apart" : value;
    };
  }
  // A column as it goes by: numbers, nan where there is none, and codes of its entries, -1 where missing, as long as they are few.
  class Column {
    constructor(name, asNumber, labels) {
      Object.assign(this, { name, asNumber, labels, size: 0, room: new Float64Array(4096), codes: new Int32Array(4096), known: new Map() });
      Object.assign(this, { missing: 0, firstMissing: 0, bad: 0, firstBad: null, truth: true });
    }
    take(text, absent) {
      if (this.size === this.room.length) {
        const [room, codes] = [new Float64Array(2 * this.size), this.known && new Int32Array(2 * this.size)];
        room.set(this.room);
        codes?.set(this.codes);
        Object.assign(this, { room, codes });
      }
      const place = this.size++, gone = absent.has(text);
      let code = -1, value = NaN;
      if (gone) {
        this.firstMissing ||= this.size;
        this.missing++;
      } else {
        code = this.known?.get(text) ?? -1;
        if (code >= 0) value = this.values[code];
        else value = this.met(text);
        if (this.known && code < 0) code = this.remember(text, value);
        if (Number.isNaN(value)) this.bad++;
      }
      this.room[place] = value;
      if (this.known) this.codes[place] = code;
    }
    // An entry that was not met before.
    met(text) {
      const value = this.asNumber(text);
      this.truth &&= /^(true|false)$/i.test(text);
      if (typeof value === "number") return value;
      this.firstBad ??= { text, row: this.size, rule: value };
      return NaN;
    }
    remember(text, value) {
      this.values ??= [];
      if (this.known.size === (this.bad ? MOST_TEXTS : FEW)) return Object.assign(this, { known: null, codes: null, values: null }) && -1;
      this.values.push(value);
      this.known.set(text, this.known.size);
      return this.known.size - 1;
    }
    textOf(value) { return this.texts?.[this.values.indexOf(value)] ?? String(value); }
    gone(row) { return this.codes ? this.codes[row] < 0 : Number.isNaN(this.room[row]); }
    // What is told to the page of it.
    summary() {
      const { name, missing, firstMissing, size, bad, firstBad } = this, texts = this.known && [...this.known.keys()];
      this.texts = texts;
      this.numbers = this.room.subarray(0, size);
      if (this.truth && missing < size) {
        const truths = texts.map((text) => (/^t/i.test(text) ? 1 : 0));
        this.numbers = Float64Array.from(this.codes.subarray(0, size), (code) => (code < 0 ? NaN : truths[code]));
      }
      const kind = missing === size ? "empty" : this.truth ? "truth" : bad ? "text" : "number";
      const binary = kind === "truth" || (kind === "number" && Boolean(texts) && this.values.every((value) => value === 0 || value === 1));
      const error = kind === "text" ? `column ${name} must hold ${firstBad.rule}, got ${dp.short(firstBad.text)} in row ${firstBad.row}${hint(firstBad.text)}` : "";
      return (this.told = { name, kind, binary, missing, firstMissing, bad, error, comma: error.includes(": is its comma"),
        labels: texts && texts.length <= this.labels ? texts : null });
    }
  }
  // What to do about an entry that is no number.
  function hint(text) {
    if (!/^[-+($€£¥\s]*\d[\d.,'\s]*[$€£¥%\s)]*$/.test(text)) return "";
    const sign = /[$€£¥%]/.exec(text)?.[0];
    if (sign) return `: take the ${sign} out`;
    if (/^\(.*\)$/.test(text)) return ": write it with a minus";
    if (text.includes(",")) return ": is its comma for decimals, or for thousands?";
    return /^\d{1,3}([ ']\d{3})+/.test(text) ? `: is its ${text.includes(" ") ? "space" : "'"} for thousands?` : "";
  }
  // Read a file once: { names, rows, delimiter, encoding, columns }; `tell(share)` says how far it is.
  async function readTable(file, how, tell = () => {}) {
    const { decimal = ".", missing = [] } = how, encoding = await encodingOf(file, how.encoding), absent = new Set([...MISSING, ...missing]);
    const asNumber = numbersLike(how);
    let delimiter = how.delimiter, columns = null, left = "", number = 0, blank = 0, newline = "\n", parser = null;
    const take = (row) => {
      const fields = row.length === 1 && /^\r?$/.test(row[0]) ? [] : row;
      if (!columns) {
        columns = namesOf(fields, file).map((name) => new Column(name, asNumber, Math.min(FEW, LABELS / fields.length)));
        return;
      }
      number++;
      const alone = !fields.length && columns.length === 1;
      if (!alone && !fields.length) blank ||= number; // at the end of a file it says nothing
      else if (blank || (!alone && fields.length !== columns.length)) {
        const [at, got] = blank ? [blank, 0] : [number, fields.length], many = columns.length > 1;
        const comma = got > columns.length && delimiter === "," && /\d/.test(fields), title = !many && number === 1 && !comma;
        dp.refuse(`${dp.short(file.name)} must have ${columns.length} field${many ? "s" : ""} in every row, as in its names, got ${got} in row ${at}` +
          `${comma ? ": is its comma for decimals?" : title ? ": is its first line a title? The names must stand there" : ""}`, comma ? { name: "comma", choices: ["decimal"] } : null);
      } else for (let i = 0; i < columns.length; i++) columns[i].take((alone ? "" : fields[i]).trim(), absent);
    };
    for await (const { text, last, done } of pieces(file, encoding)) {
      if (!parser) {
        delimiter ??= delimiterOf(text, decimal, file);
        newline = text.includes("\n") ? "\n" : "\r";
        parser = new dp.Papa.Parser({ delimiter, newline });
      }
      const { data, errors, meta } = parser.parse(left + text, 0, !last);
      left = last ? "" : (left + text).slice(meta.cursor);
      if (errors.length) {
        const { message, row } = errors[0];
        dp.refuse(`${dp.short(file.name)} must be well formed, got ${message.toLowerCase()} near row ${number + (row ?? 0)}: look at its quotes`);
      }
      if (last && data.length && data.at(-1).length === 1 && data.at(-1)[0] === "") data.pop(); // after the last line
      data.forEach(take);
      tell(done);
    }
    const rows = blank ? blank - 1 : number;
    if (!columns || !rows) dp.refuse(`${dp.short(file.name)} must hold records, got ${columns ? "only a line of names" : "an empty file"}`);
    return { rows, delimiter, encoding, columns };
  }

  function namesOf(fields, file) {
    const names = fields.map((field) => field.trim()), given = names.filter(Boolean), twice = given.find((name, i) => given.indexOf(name) < i);
    if (names.length > MOST_COLUMNS) dp.refuse(`${dp.short(file.name)} must have at most ${MOST_COLUMNS} columns to be read in a page: ask dpchoose epsilon`);
    if (!given.length || twice !== undefined) {
      dp.refuse(`The first line of ${dp.short(file.name)} must name each column once, got ${twice === undefined ? "no names" : `${dp.short(twice)} twice`}`);
    }
    return names;
  }
  // The value that looks like a code for a missing one, or null: see dpchoose/data/codes.py.
  function codeAmong(values) {
    const FILLS = [1e20, 1e30, 1e35, 9.96921e36, -9.96921e36, 32767, -32768, 2147483647, -2147483648];
    const isNamed = (far) => (Math.abs(far) < 1e15 && /^-?9{3,}(\.0*|\.9+)?$/.test(far.toFixed(10).replace(/0+$/, "")))
      || FILLS.some((fill) => Math.abs(far - fill) <= 1e-6 * Math.abs(fill));
    const largest = values.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)), least = values.reduce((a, b) => Math.min(a, b));
    for (const far of new Set([largest, least])) {
      const others = values.filter((value) => value !== far);
      const low = others.reduce((a, b) => Math.min(a, b), Infinity), high = others.reduce((a, b) => Math.max(a, b), -Infinity);
      const times = Math.abs(far) / Math.max(Math.abs(low), Math.abs(high));
      if (low < high && (times >= 1000 || (isNamed(far) && (times >= 5 || (far < 0 && low >= 0))))) return far;
    }
    return null;
  }

  return { readTable, codeAmong };
});
