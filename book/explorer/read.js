// A CSV file, read once and as it stands; what it means, and what is refused, follows
// dpchoose/your_data/read.py. Nothing is guessed, nothing is dropped in silence; rows are counted
// from 1 below the names.
((dp) => {
  "use strict";
  const { MISSING, SMALLEST, LARGEST, FOREIGN, DELIMITERS } = dp.words;
  const PIECE = 1 << 21, // bytes that are read at once
    LONGEST_FIELD = 131072;
  const FEW = 1000, // different entries that make groups, of a column and of all
    LABELS = 1e5,
    WHOLE = 2 ** 53,
    SAMPLE = 40; // entries of a column that are tried with other signs

  // Some bytes of a file, or of what the page has read of it for a worker that may not.
  async function bytesOf(file, from, to) {
    const why = "it is a folder, has changed or is gone. Choose it again",
      refused = () => dp.refuse(`${dp.short(file.name)} cannot be read: ${why}`);
    if (file.content) return file.content.subarray(from, to);
    return new Uint8Array(await file.slice(from, to).arrayBuffer().catch(refused));
  }
  // The encoding that the first bytes tell; what is no text is refused.
  async function encodingOf(file, encoding = "utf-8") {
    const start = String.fromCharCode(...(await bytesOf(file, 0, 64))).replace(/^ï»¿/, ""),
      plain = start.trim().toLowerCase();
    for (const [begins, why] of FOREIGN)
      if (plain.startsWith(begins.toLowerCase())) dp.refuse(`${dp.short(file.name)} ${why}`);
    if (start.startsWith("\xff\xfe")) return "utf-16le";
    if (start.startsWith("\xfe\xff")) return "utf-16be";
    return { cp1252: "windows-1252", "utf-16": "utf-16le" }[encoding] ?? encoding;
  }
  // The text of a file, piece by piece.
  async function* pieces(file, encoding) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    for (let start = 0; start < file.size || start === 0; start += PIECE) {
      const bytes = await bytesOf(file, start, start + PIECE),
        last = start + PIECE >= file.size;
      if (!encoding.startsWith("utf-16") && bytes.includes(0))
        dp.refuse(`${dp.short(file.name)} is not a table of text: save the table as CSV`);
      let text = "";
      try {
        text = decoder.decode(bytes, { stream: !last });
      } catch {
        dp.refuse(`${dp.short(file.name)} is not text in ${encoding}: say how it is written`, [
          { words: "it is Western European (cp1252)", encoding: "cp1252" },
          { words: "it is utf-16", encoding: "utf-16" },
        ]);
      }
      yield { text, last, share: Math.min(1, (start + PIECE) / file.size) };
    }
  }
  // The one sign that divides the first line.
  function delimiterOf(text, decimal, file) {
    const [line] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1),
      name = dp.short(file.name);
    if (/^sep=/i.test(text))
      dp.refuse(`The first line of ${name} is ${dp.short(line)}, a note for Excel: take it out`);
    const signs = Object.keys(DELIMITERS).filter((sign) => sign !== decimal),
      present = signs.filter((sign) => line.includes(sign));
    if (present.length < 2) return present[0] ?? signs[0];
    const words = present.map((sign) => DELIMITERS[sign]).join(" and ");
    return dp.refuse(
      `The first line of ${name} has ${words}: say which of them divides it`,
      present.map((sign) => ({ words: `it is divided by ${DELIMITERS[sign]}`, delimiter: sign })),
    );
  }
  const TOO_LONG = `a field has more than ${dp.grouped(LONGEST_FIELD)} letters`;
  function checkLength({ length }) {
    if (length > LONGEST_FIELD) throw new Error(TOO_LONG);
  }
  // Divides a text into rows of fields, piece by piece, as the csv module of Python does.
  class Divider {
    #left = "";

    constructor(delimiter) {
      this.delimiter = delimiter;
      // a field in quotes or without, and what ends it
      this.field = new RegExp(
        ` *(?:"([^"]*(?:""[^"]*)*)"|([^ "${delimiter}\r\n][^${delimiter}\r\n]*|))` +
          `([${delimiter}\n]|\r\n?|$)`,
        "y",
      );
    }
    *rows(piece, last) {
      const text = this.#left + piece,
        newline = /\r\n|\n|\r/g;
      let start = 0;
      while (start < text.length) {
        newline.lastIndex = start;
        const ending = newline.exec(text),
          line = text.slice(start, ending?.index);
        const row = line.includes('"')
          ? this.#quoted(text, start, last)
          : {
              fields: line ? line.split(this.delimiter) : [],
              end: newline.lastIndex || text.length,
            };
        if (line.length > LONGEST_FIELD) row?.fields.forEach(checkLength);
        // at the end of a piece a row may go on in the next one
        if (!row || (!last && row.end === text.length && text.at(-1) !== "\n")) break;
        yield row.fields;
        start = row.end;
      }
      this.#left = text.slice(start);
    }
    // A row with quotes; null where it may go on in the next piece.
    #quoted(text, start, last) {
      const fields = [],
        { field } = this;
      field.lastIndex = start;
      for (;;) {
        const match = field.exec(text);
        if (!match && !last && text.length - start <= LONGEST_FIELD) return null;
        if (!match) {
          if (text.length - start > LONGEST_FIELD)
            throw new Error(`a quote is not closed, or ${TOO_LONG}`);
          throw new Error("a quote is not closed, or something follows one that is");
        }
        const [, quoted, plain, sign] = match;
        checkLength(quoted ?? plain);
        fields.push(quoted?.replaceAll('""', '"') ?? plain);
        if (sign !== this.delimiter) return { fields, end: field.lastIndex };
      }
    }
  }
  // The words for a missing value, of one text.
  const wordsIn = (text = "") => text.split(/[\s,;]+/).filter(Boolean);
  // How numbers are written: text to a number, or to the rule that it breaks.
  function numbersLike({ decimal = ".", thousands = "" }) {
    const escaped = (sign) => (sign === "." ? "\\." : sign),
      whole = thousands ? `\\d+|\\d{1,3}(?:${escaped(thousands)}\\d{3})+` : "\\d+",
      point = escaped(decimal);
    const number = new RegExp(
      `^[+-]?(?:(?:${whole})(?:${point}\\d*)?|${point}\\d+)(?:[eE][+-]?\\d+)?$`,
    );
    return (entry) => {
      const minus = entry.replace("\u2212", "-"),
        text = thousands === " " ? minus.replace(/[\u00a0\u202f]/g, " ") : minus;
      if (!number.test(text)) return "numbers";
      const plain = (thousands ? text.replaceAll(thousands, "") : text).replace(decimal, "."),
        value = Number(plain),
        size = Math.abs(value);
      if (size > LARGEST || (size < SMALLEST && /^[^eE]*[1-9]/.test(plain)))
        return "0 or numbers from 1e-100 to 1e100 in size";
      if (size < WHOLE || !/^[+-]?\d+\.?0*$/.test(plain)) return value;
      const exact = BigInt(plain.split(".")[0].replace("+", ""));
      return BigInt(value) === exact ? value : "integers that a float can tell apart";
    };
  }
  // The value of an entry, for means, shares, groups and codes alike: true and false are 1 and 0,
  // what reads as a number is it, and all else is a text.
  function valuesLike(how) {
    const number = numbersLike(how);
    return (entry) => {
      const value = number(entry);
      if (typeof value === "number") return value + 0; // -0 is 0
      return saysTruth(entry) ? Number(/^t/i.test(entry)) : entry;
    };
  }
  const saysTruth = (entry) => /^(true|false)$/i.test(entry);
  const SIGNS = { ".": "point", ",": "comma", " ": "space", "'": "apostrophe" };
  // What a sign is for; two signs that divide a number are told apart by the decimal one.
  function meaning(entry, how) {
    const { decimal = ".", thousands } = how,
      isParted = decimal === "." && thousands,
      sign = isParted ? thousands : decimal;
    const use = isParted ? "parts thousands" : "is the decimal sign";
    return { words: `the ${SIGNS[sign]} ${use}: ${numbersLike(how)(entry)}`, ...how };
  }
  // What an entry that is no number may mean, with other signs that all entries of a sample are
  // numbers with: { words } each, and the signs.
  function meaningsOf(entry, sample, { decimal = ".", thousands = "" }) {
    const meanings = new Map();
    for (const point of [".", ","])
      for (const sign of ["", ".", ",", " ", "'"]) {
        if (sign === point || (point === decimal && sign === thousands)) continue;
        const how = { decimal: point, thousands: sign },
          number = numbersLike(how);
        if (sample.some((text) => typeof number(text) !== "number")) continue;
        const value = number(entry);
        if (!meanings.has(value)) meanings.set(value, meaning(entry, how));
      }
    return [...meanings.values()];
  }
  // A column as it goes by: its numbers, nan where there is none, and the codes of its entries, -1
  // where one is missing, as long as they are few.
  class Column {
    constructor(name, how, most) {
      Object.assign(this, { name, how, most, numbers: [], codes: [], values: [] });
      Object.assign(this, { missing: 0, firstMissing: 0, bad: 0, firstBad: null, isTruth: true });
      this.known = new Map();
      this.sample = new Set();
      this.says = valuesLike(how);
    }
    // Takes an entry; absent are the values that say that there is none.
    take(text, absent) {
      const known = this.known.get(text),
        value = known === undefined ? this.says(text) : this.values[known],
        isMissing = known === undefined && absent.has(value),
        number = isMissing || known !== undefined ? value : this.#meet(text, value);
      this.codes.push(isMissing ? -1 : (this.known.get(text) ?? NaN));
      this.numbers.push(isMissing ? NaN : number);
      if (!isMissing) this.bad += Number.isNaN(number);
      else if (!this.missing++) this.firstMissing = this.numbers.length;
    }
    // The number of an entry that was not met before.
    #meet(text, value) {
      const isNumber = typeof value === "number";
      this.isTruth &&= saysTruth(text);
      if (!saysTruth(text) && this.sample.size < (isNumber ? SAMPLE / 2 : SAMPLE))
        this.sample.add(text);
      if (!isNumber)
        this.firstBad ??= { text, row: this.numbers.length + 1, rule: numbersLike(this.how)(text) };
      const number = isNumber ? value : NaN;
      if (this.known.size < this.most) this.known.set(text, this.values.push(number) - 1);
      else this.isFull = true;
      return number;
    }
    misses(row) {
      return this.codes[row] === -1;
    }
    // What the page may know of it.
    summary() {
      const { name, missing, firstMissing, bad, firstBad, isTruth, how } = this,
        isEmpty = missing === this.numbers.length;
      this.labels = this.isFull ? null : [...this.known.keys()];
      const text = bad ? "text" : "number",
        kind = isEmpty ? "empty" : isTruth ? "truth" : text,
        { labels } = this;
      let error = "",
        meanings = [];
      if (kind === "text") {
        const { rule, text: entry, row } = firstBad;
        if (rule === "numbers") meanings = meaningsOf(entry, [...this.sample], how);
        error = `column ${name} must hold ${rule}, got ${dp.short(entry)} in row ${row} below the names`;
        if (!meanings.length) error += hint(entry);
      }
      // every entry is 1.234 or like it: it may be more than a thousand
      const asThousands = (entry) => /^[1-9]\d{0,2}\.\d{3}$/.test(entry);
      if (kind === "number" && !how.decimal && labels?.length > 1 && labels.every(asThousands))
        meanings = [{ decimal: ",", thousands: "." }, { decimal: "." }].map((signs) =>
          meaning(labels[0], signs),
        );
      const rows = new Int32Array(this.known.size);
      for (const code of this.codes) if (code >= 0) rows[code]++;
      const repeated = rows.filter((many) => many > 1).length, // of the entries that are known
        entries = rows.length;
      const told = { name, kind, missing, firstMissing, bad, firstBad, error, meanings, labels };
      return { ...told, entries, repeated };
    }
  }
  // What to do about an entry that is no number and has no other meaning.
  function hint(text) {
    const sign = /^[-+($€£¥\s]*\d[\d.,'\s]*[$€£¥%\s)]*$/.test(text) && /[$€£¥%]/.exec(text)?.[0];
    if (sign) return `: take the ${sign} out`;
    return /^\([\d.,]+\)$/.test(text) ? ": write it with a minus" : "";
  }
  // Read a file once: { rows, delimiter, encoding, columns, head }; `tell(share)` says how much of
  // it is read. A column that names the person of each row keeps all its different entries.
  async function readTable(file, how, tell = () => {}, person = "") {
    const { decimal = ".", missing } = how,
      encoding = await encodingOf(file, how.encoding),
      words = [...MISSING, ...wordsIn(missing).filter((word) => word !== "none")],
      absent = new Set(words.map(valuesLike(how))),
      head = [],
      fileName = dp.short(file.name);
    let { delimiter } = how,
      columns = null,
      number = 0,
      blank = 0,
      divider = null;
    const take = (row) => {
      if (!columns) {
        const names = namesOf(row, fileName),
          most = Math.min(FEW, LABELS / names.length);
        columns = names.map((name) => new Column(name, how, name === person ? Infinity : most));
        return;
      }
      number++;
      if (!row.length) {
        blank ||= number; // at the end of a file it says nothing
        return;
      }
      // else each is a missing value of a single column
      if (columns.length === 1) for (; blank && blank < number; blank++) add([""], blank);
      if (columns.length === 1) blank = 0;
      if (blank || row.length !== columns.length) refuseWidth(row);
      add(row, number);
    };
    const add = (fields, place) => {
      if (place <= 3) head.push(fields.map((field) => field.trim().slice(0, 60)));
      for (let i = 0; i < columns.length; i++) columns[i].take(fields[i].trim(), absent);
    };
    const refuseWidth = (fields) => {
      const [row, got] = blank ? [blank, 0] : [number, fields.length],
        many = columns.length > 1 ? "s" : "";
      const comma = got > columns.length && delimiter === "," && /\d/.test(fields),
        isNames = blank === 1 && !fields.some((field) => /\d|^\s*$/.test(field)),
        isTitle = (isNames || (!many && columns[0].missing === number - 1)) && !comma,
        title = isTitle ? ": is its first line a title? The names must stand there" : "";
      dp.refuse(
        `${fileName} must have ${columns.length} field${many} in every row, as in its names, got ` +
          `${got} in row ${row} below the names${comma ? ": is its comma for decimals?" : title}`,
        comma ? [{ words: "its comma is for decimals", decimal: "," }] : [],
      );
    };
    for await (const { text, last, share } of pieces(file, encoding)) {
      delimiter ??= delimiterOf(text, decimal, file);
      divider ??= new Divider(delimiter);
      try {
        for (const row of divider.rows(text, last)) take(row);
      } catch (error) {
        if (error instanceof dp.Refusal) throw error;
        dp.refuse(
          `${fileName} must be well formed, got near row ${number + 1} below the names: ${error.message}`,
        );
      }
      tell(share);
    }
    const rows = blank ? blank - 1 : number,
      got = columns ? "only a line of names" : "an empty file";
    if (!rows) dp.refuse(`${fileName} must hold records, got ${got}`);
    return { rows, delimiter, encoding, columns, head };
  }

  function namesOf(fields, fileName) {
    const names = fields.map((field) => field.trim()),
      given = names.filter(Boolean),
      twice = given.find((name, i) => given.indexOf(name) < i);
    const got = twice === undefined ? "no names" : `${dp.short(twice)} twice`;
    if (!given.length || twice !== undefined)
      dp.refuse(`The first line of ${fileName} must name each column once, got ${got}`);
    return names;
  }

  Object.assign(dp, { bytesOf, readTable, numbersLike, wordsIn });
})(globalThis.dpchoose);
