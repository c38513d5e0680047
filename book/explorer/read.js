// A CSV file, read once and as it stands; what it means, and what is refused, follows
// dpchoose/your_data/read.py. Nothing is guessed, nothing is dropped in silence; rows are counted
// from 1 below the names.
((dp) => {
  "use strict";
  const DELIMITERS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };
  const { MISSING, SMALLEST, LARGEST } = dp.words;
  const PIECE = 1 << 21, // bytes that are read at once
    LARGEST_FILE = 2 ** 31,
    LONGEST_FIELD = 131072,
    MOST_COLUMNS = 1000;
  // different entries that make groups, of all columns, and of texts
  const FEW = 1000,
    LABELS = 1e5,
    MOST_TEXTS = 4e6;
  const WHOLE = 2 ** 53,
    SAMPLE = 40; // entries of a column that are tried with other signs
  const ENCODINGS = {
    cp1252: "windows-1252",
    "latin-1": "windows-1252",
    "utf-8-sig": "utf-8",
    "utf-16": "utf-16le",
  };
  // How files begin that are no table of text, and what they are.
  const FOREIGN = [
    ["PK\x03\x04", "is an Excel file: save the table as CSV"],
    ["PAR1", "is a Parquet file: save the table as CSV"],
    ["\x1f\x8b", "is packed: unpack it first"],
    ["%PDF", "is a PDF: save the table as CSV"],
    ["{", "is JSON: save the table as CSV"],
    ["[", "is JSON: save the table as CSV"],
    ["<!doctype", "is a page of the web: save the table as CSV"],
    ["<html", "is a page of the web: save the table as CSV"],
    ["<?xml", "is XML: save the table as CSV"],
  ];

  async function bytesOf(file, from, to) {
    try {
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    } catch {
      const why = "it is a folder, has changed or is gone. Choose it again";
      return dp.refuse(`${dp.short(file.name)} cannot be read: ${why}`);
    }
  }
  // The encoding that the first bytes tell; what is no text is refused.
  async function encodingOf(file, encoding = "utf-8") {
    if (file.size >= LARGEST_FILE)
      dp.refuse(
        `${dp.short(file.name)} must be smaller than 2 GB to be read in a page: ask dpchoose ` +
          "epsilon",
      );
    const start = String.fromCharCode(...(await bytesOf(file, 0, 64))).replace(/^ï»¿/, ""),
      plain = start.trim().toLowerCase();
    for (const [begins, why] of FOREIGN)
      if (plain.startsWith(begins.toLowerCase())) dp.refuse(`${dp.short(file.name)} ${why}`);
    if (start.startsWith("\xff\xfe")) return "utf-16le";
    return start.startsWith("\xfe\xff") ? "utf-16be" : (ENCODINGS[encoding] ?? encoding);
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
        dp.refuse(`${dp.short(file.name)} is not text in ${encoding}: say how it is written`, {
          name: "encoding",
          choices: ["cp1252", "utf-16"],
        });
      }
      yield { text, last, share: Math.min(1, (start + PIECE) / file.size) };
    }
  }
  // The one sign that divides the first line.
  function delimiterOf(text, decimal, file) {
    const [line] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
    if (/^sep=/i.test(text))
      dp.refuse(
        `The first line of ${dp.short(file.name)} is ${dp.short(line)}, a note for Excel: take ` +
          "it out",
      );
    const signs = Object.keys(DELIMITERS).filter((sign) => sign !== decimal),
      present = signs.filter((sign) => line.includes(sign));
    if (present.length < 2) return present[0] ?? signs[0];
    return dp.refuse(
      `The first line of ${dp.short(file.name)} has ` +
        `${present.map((sign) => DELIMITERS[sign]).join(" and ")}: say which of them divides it`,
      { name: "delimiter", choices: present },
    );
  }
  // Divides a text into rows of fields, piece by piece, as the csv module of Python does.
  class Divider {
    #left = "";

    constructor(delimiter) {
      this.delimiter = delimiter;
    }
    *rows(piece, last) {
      const text = this.#left + piece,
        newline = /\r\n|\n|\r/g;
      let start = 0;
      while (start < text.length) {
        newline.lastIndex = start;
        const found = newline.exec(text),
          end = found ? found.index : text.length,
          next = found ? newline.lastIndex : end,
          line = text.slice(start, end);
        if (line.includes('"')) {
          const row = this.#quoted(text, start, last);
          if (!row) break;
          yield row.fields;
          start = row.end;
        } else if (next === text.length && !last && found?.[0] !== "\n") break;
        else {
          yield line ? line.split(this.delimiter) : [];
          start = next;
        }
      }
      this.#left = text.slice(start);
    }
    // A row with quotes: its fields and its end, or null where it goes on in the next piece.
    #quoted(text, start, last) {
      const fields = [],
        plain = new RegExp(`[${this.delimiter}\r\n]`, "g");
      for (let at = start; ; at++) {
        while (text[at] === " ") at++;
        let value = "";
        if (text[at] === '"') {
          at++;
          for (;;) {
            const close = text.indexOf('"', at);
            if (close < 0) {
              if (!last && text.length - at <= LONGEST_FIELD) return null;
              throw new Error("a quote is not closed");
            }
            value += text.slice(at, close);
            at = close + 1;
            if (text[at] !== '"') break;
            value += '"';
            at++;
          }
          if (at < text.length && !`${this.delimiter}\r\n`.includes(text[at]))
            throw new Error("something follows a closing quote");
        } else {
          plain.lastIndex = at;
          const end = plain.exec(text)?.index ?? text.length;
          value = text.slice(at, end);
          at = end;
        }
        if (at >= text.length - 1 && !last) return null;
        fields.push(value);
        if (text[at] === this.delimiter) continue;
        return { fields, end: at + (text.startsWith("\r\n", at) ? 2 : 1) };
      }
    }
  }
  // How numbers are written: text to a number, or to the rule that it breaks.
  function numbersLike({ decimal = ".", thousands = "" }) {
    const sign = thousands === "." ? "\\." : thousands,
      point = decimal === "." ? "\\." : decimal;
    const whole = thousands ? `\\d+|\\d{1,3}(?:${sign}\\d{3})+` : "\\d+";
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
      if (size >= SMALLEST && size < WHOLE) return value;
      if (!(size >= SMALLEST && size <= LARGEST))
        return /^[^eE]*[1-9]/.test(plain) ? "0 or numbers from 1e-100 to 1e100 in size" : value;
      return /^[+-]?\d+\.?0*$/.test(plain) &&
        BigInt(value) !== BigInt(plain.split(".")[0].replace("+", ""))
        ? "integers that a float can tell apart"
        : value;
    };
  }
  // What an entry that is no number may mean, with other signs that all entries of a sample are
  // numbers with: { words, how } each.
  function meaningsOf(entry, sample, { decimal = ".", thousands = "" }) {
    const meanings = new Map();
    for (const point of [".", ","])
      for (const sign of ["", ".", ",", " ", "'"]) {
        if (sign === point || (point === decimal && sign === thousands)) continue;
        const how = { decimal: point, thousands: sign },
          number = numbersLike(how);
        if (sample.some((text) => typeof number(text) !== "number")) continue;
        const value = number(entry);
        if (!meanings.has(value)) meanings.set(value, { words: `${entry} means ${value}`, how });
      }
    return [...meanings.values()];
  }
  // A column as it goes by: numbers, nan where there is none, and codes of its entries, -1 where
  // missing, as long as they are few.
  class Column {
    constructor(name, how, labels) {
      Object.assign(this, { name, how, most: labels, size: 0, known: new Map(), values: [] });
      this.room = new Float64Array(4096);
      this.codes = new Int32Array(4096);
      this.asNumber = numbersLike(how);
      this.sample = new Set();
      Object.assign(this, { missing: 0, firstMissing: 0, bad: 0, firstBad: null, truth: true });
    }
    take(text, absent) {
      if (this.size === this.room.length) {
        const room = new Float64Array(2 * this.size),
          codes = this.known && new Int32Array(2 * this.size);
        room.set(this.room);
        codes?.set(this.codes);
        Object.assign(this, { room, codes });
      }
      const place = this.size++;
      let code = -1,
        value = NaN;
      if (absent.has(text)) {
        this.firstMissing ||= this.size;
        this.missing++;
      } else {
        code = this.known?.get(text) ?? -1;
        value = code >= 0 ? this.values[code] : this.meet(text);
        if (this.known && code < 0) code = this.remember(text, value);
        if (Number.isNaN(value)) this.bad++;
      }
      this.room[place] = value;
      if (this.known) this.codes[place] = code;
    }
    // An entry that was not met before.
    meet(text) {
      const value = this.asNumber(text);
      this.truth &&= /^(true|false)$/i.test(text);
      if (typeof value === "number") {
        if (this.sample.size < SAMPLE / 2) this.sample.add(text);
        return value;
      }
      if (this.sample.size < SAMPLE) this.sample.add(text);
      this.firstBad ??= { text, row: this.size, rule: value };
      return NaN;
    }
    remember(text, value) {
      if (this.known.size === (this.bad ? MOST_TEXTS : FEW)) {
        Object.assign(this, { known: null, codes: null, values: null });
        return -1;
      }
      this.values.push(value);
      this.known.set(text, this.known.size);
      return this.known.size - 1;
    }
    textOf(value) {
      return this.texts?.[this.values.indexOf(value)] ?? String(value);
    }
    misses(row) {
      return this.codes ? this.codes[row] < 0 : Number.isNaN(this.room[row]);
    }
    // What the page may know of it.
    summary() {
      const { name, missing, firstMissing, size, bad, firstBad } = this,
        texts = this.known && [...this.known.keys()];
      this.texts = texts;
      this.numbers = this.room.subarray(0, size);
      if (this.truth && missing < size) {
        const truths = texts.map((text) => Number(/^t/i.test(text)));
        this.numbers = Float64Array.from(this.codes.subarray(0, size), (code) =>
          code < 0 ? NaN : truths[code],
        );
      }
      const kind = missing === size ? "empty" : this.truth ? "truth" : bad ? "text" : "number";
      this.labels = texts && texts.length <= this.most ? texts : null;
      this.error = "";
      let meanings = [];
      if (kind === "text") {
        const { rule, text, row } = firstBad;
        meanings = rule === "numbers" ? meaningsOf(text, [...this.sample], this.how) : [];
        this.error =
          `column ${name} must hold ${rule}, got ${dp.short(text)} in row ${row}` +
          (meanings.length ? "" : hint(text));
      }
      const { labels, error } = this;
      // every entry is 1.234 or like it: it may be more than a thousand
      if (kind === "number" && !this.how.decimal && labels?.length > 1)
        if (labels.every((text) => /^[1-9]\d{0,2}(\.\d{3})+$/.test(text)))
          meanings = [
            ...meaningsOf(labels[0], labels, this.how),
            { words: `${labels[0]} means ${Number(labels[0])}`, how: { decimal: "." } },
          ].filter(({ words }, i, all) => i === all.findIndex((other) => other.words === words));
      return { name, kind, missing, firstMissing, bad, firstBad, error, meanings, labels };
    }
  }
  // What to do about an entry that is no number and has no other meaning.
  function hint(text) {
    const sign = /^[-+($€£¥\s]*\d[\d.,'\s]*[$€£¥%\s)]*$/.test(text) && /[$€£¥%]/.exec(text)?.[0];
    if (sign) return `: take the ${sign} out`;
    return /^\([\d.,]+\)$/.test(text) ? ": write it with a minus" : "";
  }
  // Read a file once: { rows, delimiter, encoding, columns, head }; `tell(share)` says how much of
  // it is read.
  async function readTable(file, how, tell = () => {}) {
    const { decimal = ".", missing = [] } = how,
      encoding = await encodingOf(file, how.encoding),
      absent = new Set([...MISSING, ...missing.filter((word) => word !== "none")]),
      head = [];
    let { delimiter } = how,
      columns = null,
      number = 0,
      blank = 0,
      divider = null;
    const take = (row) => {
      if (!columns) {
        const names = namesOf(row, file);
        columns = names.map((name) => new Column(name, how, Math.min(FEW, LABELS / names.length)));
        return;
      }
      number++;
      const fields = row.length || columns.length > 1 ? row : [""];
      if (!fields.length) blank ||= number; // at the end of a file it says nothing
      else if (blank || fields.length !== columns.length) refuseWidth(fields);
      else {
        if (number <= 3) head.push(fields.map((field) => field.trim().slice(0, 60)));
        for (let i = 0; i < columns.length; i++) columns[i].take(fields[i].trim(), absent);
      }
    };
    const refuseWidth = (fields) => {
      const [row, got] = blank ? [blank, 0] : [number, fields.length],
        many = columns.length > 1;
      const comma = got > columns.length && delimiter === "," && /\d/.test(fields),
        title = !many && number === 1 && !comma;
      const guess = comma
        ? ": is its comma for decimals?"
        : title
          ? ": is its first line a title? The names must stand there"
          : "";
      dp.refuse(
        `${dp.short(file.name)} must have ${columns.length} field${many ? "s" : ""} in every ` +
          `row, as in its names, got ${got} in row ${row}${guess}`,
        comma ? { name: "decimal", choices: [","] } : null,
      );
    };
    for await (const { text, last, share } of pieces(file, encoding)) {
      if (!divider) {
        delimiter ??= delimiterOf(text, decimal, file);
        divider = new Divider(delimiter);
      }
      const rows = divider.rows(text, last);
      for (;;) {
        let step;
        try {
          step = rows.next();
        } catch (error) {
          dp.refuse(
            `${dp.short(file.name)} must be well formed, got near row ${number + 1}: ` +
              `${error.message}`,
          );
        }
        if (step.done) break;
        take(step.value);
      }
      tell(share);
    }
    const rows = blank ? blank - 1 : number;
    if (!columns || !rows)
      dp.refuse(
        `${dp.short(file.name)} must hold records, got ` +
          `${columns ? "only a line of names" : "an empty file"}`,
      );
    return { rows, delimiter, encoding, columns, head };
  }

  function namesOf(fields, file) {
    const names = fields.map((field) => field.trim()),
      given = names.filter(Boolean),
      twice = given.find((name, i) => given.indexOf(name) < i);
    if (names.length > MOST_COLUMNS)
      dp.refuse(
        `${dp.short(file.name)} must have at most ${MOST_COLUMNS} columns to be read in a ` +
          "page: ask dpchoose epsilon",
      );
    if (!given.length || twice !== undefined)
      dp.refuse(
        `The first line of ${dp.short(file.name)} must name each column once, got ` +
          `${twice === undefined ? "no names" : `${dp.short(twice)} twice`}`,
      );
    return names;
  }

  Object.assign(dp, { readTable, numbersLike });
})(globalThis.dpchoose);
