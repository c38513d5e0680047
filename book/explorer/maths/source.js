// A file that was read, and the questions that are asked of it. What the summary of a file tells is
// checked on the page before anything is asked; what only the records tell is refused here.
((dp) => {
  "use strict";
  const { ANY_RATIO, CODE_RATIO } = dp.words;
  // What an answer is called: mean:visits, share:sex=female, count.
  const labelOf = ({ query, column, value }) =>
    query === "count" ? "count" : `${query}:${column}${query === "share" ? `=${value}` : ""}`;

  // The values outside limits that look like codes for missing ones, as dpchoose/codes.py finds them:
  // 9, 98 and 99, 997 to 999 and the like, or their negatives, if there are two or more; or one far
  // from all others. Nothing lies between them and the limits.
  function codesAmong(values, [low, high]) {
    const codes = [];
    for (const sign of [-1, 1]) {
      const limit = sign > 0 ? high : -low,
        outside = values.filter((value) => sign * value > limit).map((value) => sign * value),
        nearest = outside.reduce((a, b) => Math.min(a, b), Infinity),
        nines = 10 ** String(nearest).length - 1,
        isCode = (value) => value <= nines && value >= nines - (nines === 9 ? 1 : 2),
        group = outside.filter((value) => isCode(value) && Number.isInteger(value));
      if (Number.isInteger(nearest) && group.includes(nines) && isCode(nearest) && group.length > 1)
        codes.push(...new Set(group.map((value) => sign * value)));
      else if (outside.length && outside.every((value) => value === nearest)) {
        const others = values.reduce((most, value) => Math.max(most, -sign * value), 0),
          ratio = nearest / Math.max(others, Math.abs(low), Math.abs(high)),
          isNines = /^9{3,}(\.0*|\.9+)?$/.test(nearest.toFixed(10).replace(/0+$/, ""));
        if (ratio >= ANY_RATIO || (isNines && (ratio >= CODE_RATIO || (sign < 0 && low >= 0))))
          codes.push(sign * nearest);
      }
    }
    return codes.sort((a, b) => a - b);
  }

  const isShare = ({ query }) => query === "share";

  class Source {
    #key = "";
    #facts = null;

    constructor(table, person = "") {
      Object.assign(this, { table, person });
      this.columns = new Map(table.columns.map((column) => [column.name, column]));
      this.summaries = table.columns.map((column) => column.summary());
    }
    // What the page may know of the file.
    summary() {
      const { columns, head, ...table } = this.table;
      return {
        ...table,
        head: head.map((fields) => fields.filter((_, i) => columns[i].name)),
        columns: this.summaries.filter(({ name }) => name),
      };
    }
    // The values of an answer in some rows, and its limits.
    #values({ query, column: name, value }, places) {
      if (query === "count") return new Float64Array(places.length);
      const { numbers, codes, labels, says } = this.columns.get(name);
      if (query !== "share") return Float64Array.from(places, (place) => numbers[place]);
      const met = labels.map((text) => Number(says(text) === says(value)));
      return Float64Array.from(places, (place) => met[codes[place]]);
    }
    // The groups of some rows, which are values: { codes, names }. One is called as it is listed, or
    // else by the shortest text that says it.
    #groups(by, places, listed) {
      const { codes, labels, says } = this.columns.get(by),
        called = new Map(),
        values = labels.map(says);
      const present = [...new Set(places.map((place) => codes[place]))].map((code) => labels[code]);
      const texts = present.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
      for (const text of listed ?? texts)
        if (!called.has(says(text))) called.set(says(text), text);
        else if (listed) dp.refuse(`groups must list each group once, got ${listed.join(", ")}`);
      const names = listed ?? [...called.values()].toSorted((a, b) => (a < b ? -1 : 1)),
        other = present.find((text) => !called.has(says(text)));
      if (other !== undefined)
        dp.refuse(
          `${by} must be one of ${names.slice(0, 9).join(", ")}, as the groups are listed, got ` +
            dp.short(other),
        );
      const order = values.map((value) => names.indexOf(called.get(value)));
      return { codes: Int32Array.from(places, (place) => order[codes[place]]), names, by };
    }
    // The columns that are asked, and the places of the rows that miss none of them.
    #asked({ asks, by, person, perPerson, keepRows }) {
      const inOrder = [...asks.filter((ask) => !isShare(ask)), ...asks.filter(isShare)],
        answered = inOrder.map(({ column }) => column),
        needed = keepRows ? [...answered, by] : [...answered, by, person],
        named = [...new Set(needed)].filter((name) => name && this.columns.has(name)),
        columns = named.map((name) => this.columns.get(name));
      const places = [];
      for (let place = 0; place < this.table.rows; place++)
        if (!columns.some((column) => column.misses(place))) places.push(place);
      const dropped = this.table.rows - places.length;
      if (!keepRows) return { named, places, dropped };
      return { named, places: this.#first(places, person, Number(perPerson)), dropped };
    }
    // The first so many of these rows of each person, over the whole file.
    #first(places, person, most) {
      const column = this.columns.get(person),
        { codes } = column,
        rows = new Map(),
        without = places.find((place) => column.misses(place));
      if (without !== undefined)
        dp.refuse(
          `column ${person} must hold a person in every row, got '' in row ${without + 1} below ` +
            "the names: fill it in, or take the row out of the file",
        );
      return places.filter((place) => {
        rows.set(codes[place], (rows.get(codes[place]) ?? 0) + 1);
        return rows.get(codes[place]) <= most;
      });
    }
    // What the records tell before limits are asked for: how many rows miss a value, and why people
    // have too many rows, or nothing.
    look(question) {
      const { places, dropped: gone } = this.#asked(question);
      try {
        this.#checkPeople(question, places);
      } catch (error) {
        if (!(error instanceof dp.Refusal)) throw error;
        return { gone, refusal: error.message, choices: error.choices };
      }
      return { gone, refusal: "", choices: [] };
    }
    // The setting of a question, and what stands beside its answer.
    #prepare(question) {
      const { asks, limits, hide, by, groups, person, perPerson, keepRows } = question,
        { dropMissing, codesAreValues } = question,
        { named, places, dropped } = this.#asked(question);
      if (places.length < 2)
        dp.refuse(`the file must hold at least 2 records to be asked, got ${places.length}`);
      const rows = this.#checkPeople({ person, perPerson, by }, places);
      const known = asks.map((ask) => ({
        ...ask,
        label: labelOf(ask),
        values: this.#values(ask, places),
        limits: isShare(ask) ? [0, 1] : (limits[ask.column]?.map(Number) ?? [0, 1]),
      }));
      const alone = codesAreValues ? [] : known.flatMap((ask) => this.#askAboutCodes(ask));
      const nobody = known.filter((ask) => isShare(ask) && !ask.values.some(Boolean)),
        grouped = by ? this.#groups(by, places, hide ? groups : null) : {};
      return {
        setting: new dp.Everybody({
          asks: known,
          hidden: hide,
          perPerson: rows,
          person,
          keepRows,
          ...grouped,
        }),
        dropped,
        leftOut: dropMissing ? named : [],
        warnings: [
          ...nobody.map(({ column, value }) =>
            dp.fill(dp.words.NO_ROW, { column, value: dp.short(value) }),
          ),
          ...new Set(alone),
        ],
      };
    }
    // How many rows a person may have; refuses a column of persons, some of whom have more.
    #checkPeople({ person: name, perPerson, by }, places) {
      const most = dp.parsePlain(perPerson, "rows of a person");
      if (!(Number.isInteger(most) && most >= 1))
        dp.refuse(`rows of a person must be a whole number of at least 1, got ${perPerson}`);
      if (!name || !this.columns.has(name)) return most;
      const { codes, known } = this.columns.get(name),
        rows = new Map();
      for (const place of places) rows.set(codes[place], (rows.get(codes[place]) ?? 0) + 1);
      const isOver = (code) => rows.get(code) > most,
        over = [...rows.keys()].filter(isOver).length;
      if (!over) return most;
      const place = places.find((row) => isOver(codes[row])),
        who = dp.short([...known.keys()][codes[place]]),
        first = most > 1 ? `the first ${most} rows` : "the first row",
        rule = { words: "a rule older than this file allows more", field: "perPerson" },
        keep = { words: `use ${first} of each person`, keepRows: "first" };
      return dp.refuse(
        `column ${name} must hold each person in ${most} row${most > 1 ? "s" : ""} at most, got ` +
          `${over > 1 ? `${dp.grouped(over)} people` : "1 person"} with more, first ${who} in row ` +
          `${place + 1} below the names: add up each person's rows in the file` +
          `${by ? `, and give each person one ${by}` : ""}`,
        [rule, keep],
      );
    }
    // Values beyond the limits that look like codes for a missing one are asked about; of a single
    // record it is a warning.
    #askAboutCodes({ query, column: name, values, limits }) {
      const codes = query === "mean" || query === "sum" ? codesAmong(values, limits) : [];
      if (!codes.length) return [];
      const column = this.columns.get(name),
        texts = codes.map((code) => column.labels?.[column.values.indexOf(code)] ?? `${code}`);
      const facts = { name: `column ${name}`, codes: texts.join(" and ") },
        missing = `${facts.codes}: missing values, leave their rows out`;
      if (values.filter((value) => codes.includes(value)).length === 1) {
        const value = `${facts.codes} in 1 of ${dp.grouped(values.length)} records`;
        return [dp.fill(dp.words.CODE, { name: facts.name, value })];
      }
      return dp.refuse(dp.fill(dp.words.CODES, facts), [
        { words: missing, codes: texts.join(" ") },
        { words: "all of them are values", codes: "none" },
      ]);
    }
    // The answer to a question; what does not depend on the goal is prepared once.
    ask({ goal, already, ...question }) {
      const key = JSON.stringify(question);
      if (this.#key !== key) {
        this.#facts = this.#prepare(question);
        this.#key = key;
      }
      const { setting, ...facts } = this.#facts,
        result = dp.recommend(setting, goal, already);
      return { ...facts, ...result, words: dp.wordsOf(setting, result, facts.leftOut) };
    }
  }

  Object.assign(dp, { Source, labelOf });
})(globalThis.dpchoose);
