// A file that was read once, and the questions that are asked of it.
dpchoose.part((dp) => {
  "use strict";
  const COMMAND = "ask dpchoose epsilon";
  // What an answer is called: mean:visits, share:sex=female, count.
  const labelOf = ({ query, column, value }) => (query === "count" ? "count" : `${query}:${column}${query === "share" ? `=${value}` : ""}`);
  // A file that was read, and what is asked of it: the question without its goal is prepared once.
  class Source {
    constructor(table) { Object.assign(this, { table, columns: new Map(table.columns.map((column) => [column.name, column])), key: "" }); }
    told() {
      const { rows, delimiter, encoding, columns } = this.table;
      return { rows, delimiter, encoding, columns: columns.filter(({ name }) => name).map((column) => column.summary()) };
    }
    column(name) {
      return this.columns.get(name) ?? dp.refuse(`column must be one of ${[...this.columns.keys()].slice(0, 9).join(", ")}, got ${dp.short(String(name))}`);
    }
    // The places of the rows that miss nothing in some columns.
    complete(columns, dropping) {
      const places = [];
      for (let i = 0; i < this.table.rows; i++) {
        const gap = columns.find((column) => column.gone(i));
        if (!gap) places.push(i);
        else if (!dropping) {
          dp.refuse(`column ${gap.name} must hold a value in every row, got none in row ${gap.firstMissing}, the first of ${dp.grouped(gap.missing)}`,
            { name: "dropMissing", choices: [true] });
        }
      }
      if (places.length < 2) dp.refuse(`the file must hold at least 2 records to be asked, got ${places.length}`);
      return places;
    }
    // The values of one statistic in some rows.
    values({ query, column, value }, places) {
      if (query === "count") return new Float64Array(places.length);
      const found = this.column(column);
      if (query !== "share") {
        if (found.told.error) dp.refuse(found.told.error, found.told.comma ? { name: "comma", choices: ["decimal", "thousands"] } : null);
        return Float64Array.from(places, (place) => found.numbers[place]);
      }
      const number = /^[+-]?\d+(\.\d*)?$/.test(value) ? Number(value) : NaN, texts = found.texts?.map((text) => text === value);
      const is = (place) => Number(found.numbers[place] === number || Boolean(texts?.[found.codes[place]]));
      return Float64Array.from(places, is);
    }
    // The setting of a question, and what was noticed on the way: { setting, records, dropped, warnings }.
    prepare({ situation, asks, limits = {}, hide = false, by = "", groups = [], person = "", dropMissing = false, already = [] }) {
      const every = [...asks, ...already], twice = asks.find((one, i) => asks.findIndex((other) => labelOf(one) === labelOf(other)) < i);
      if (twice) dp.refuse(`each answer must be asked once, got ${labelOf(twice)} twice`);
      const named = [...every.map((one) => one.column), by, person].filter(Boolean).map((name) => this.column(name));
      const places = this.complete([...new Set(named)], dropMissing), warnings = [], odd = [];
      if (person) this.oneRowEach(this.column(person), places);
      const know = (one) => {
        const values = this.values(one, places), label = labelOf(one), binary = one.query === "share" || values.every((value) => value === 0 || value === 1);
        const code = one.query === "share" || one.query === "count" ? null : dp.codeAmong(values);
        if (code !== null) odd.push(this.column(one.column).textOf(code));
        if (code !== null) warnings.push(`${one.column} holds ${dp.general(code, 6)}, far from all other values: is it a code for a missing one?`);
        if (one.query === "share" && !values.some(Boolean)) warnings.push(`${one.column} holds ${dp.short(one.value)} in no row: is it spelt so?`);
        return { ...one, label, values, size: places.length, binary };
      };
      const known = asks.map(know), facts = { records: places.length, dropped: this.table.rows - places.length, warnings, odd };
      if (situation === "known") {
        if (known.length > 1 || by || already.length) dp.refuse(`of a known file the page answers one question at a time: for more, and by group, ${COMMAND}`);
        const [{ label, query, values, column }] = known, kind = query === "share" ? "mean" : query;
        if (kind === "var" || kind === "std") dp.refuse(`of a known file the page has means, sums, counts, medians and percentiles: for ${query}:${column} ${COMMAND}`);
        const setting = new dp.Known({ statistic: label, query: kind, values });
        return { ...facts, setting };
      }
      const limited = (one) => {
        if (one.query === "count") return one;
        const given = Object.hasOwn(limits, one.column) ? limits[one.column] : null, free = one.binary && !given?.some(Boolean);
        if (one.query === "share" || free) return { ...one, limits: [0, 1] };
        if (!given?.every((text) => String(text).trim())) {
          dp.refuse(`limits of ${one.column} must be given: public numbers, fixed without looking at the file`, { name: "limits", choices: [] });
        }
        return { ...one, limits: dp.parseLimits(one.column, given) };
      };
      const column = by ? this.column(by) : null;
      if (column && !column.told.labels) dp.refuse(`column ${by} must hold fewer different labels to make groups in a page: ${COMMAND}`);
      const present = column && new Set(places.map((place) => column.codes[place]));
      const names = !column ? [] : hide ? groups : [...present].map((code) => column.texts[code]).sort((a, b) => (a < b ? -1 : 1));
      if (column && hide) {
        if (!names.length) dp.refuse("groups must be listed where the number of rows is hidden, got none: a public list", { name: "groups", choices: [] });
        const other = [...present].map((code) => column.texts[code]).find((text) => !names.includes(text));
        if (other !== undefined) dp.refuse(`${by} must be one of ${names.slice(0, 9).join(", ")}, as the groups are listed, got ${dp.short(other)}`, { name: "groups", choices: [] });
      }
      const place = column && new Map(names.map((name, i) => [name, i]));
      const codes = column && Int32Array.from(places, (at) => place.get(column.texts[column.codes[at]]));
      const out = already.map(know).map(limited).map((one) => ({ ...one, scale: dp.float(dp.parseNumber(one.scale, `the scale of ${one.label}`)) }));
      return { ...facts, setting: new dp.Everybody({ asks: known.map(limited), out, hidden: hide, codes, names }) };
    }
    oneRowEach(column, places) {
      const keys = Float64Array.from(places, (place) => (column.codes ? column.codes[place] : column.numbers[place])).sort();
      let rows = 0, most = 1, run = 1;
      for (let i = 1; i < keys.length; i++) {
        run = keys[i] === keys[i - 1] ? run + 1 : 1;
        if (run === 2) rows++;
        most = Math.max(most, run);
      }
      if (rows) dp.refuse(`column ${column.name} must name each person once, got ${dp.grouped(rows)} with several rows (up to ${most}): make one row of each first`);
    }
    ask({ goal, weights = null, ...question }) {
      const key = JSON.stringify(question);
      if (this.key !== key) {
        this.key = "";
        this.facts = this.prepare(question);
        this.key = key;
      }
      const { setting, ...facts } = this.facts;
      return { ...facts, labels: setting.labels, ...dp.recommend(setting, goal, weights) };
    }
  }

  return { Source, labelOf };
});
