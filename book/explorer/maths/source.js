// A file that was read, and the questions that are asked of it.
((dp) => {
  "use strict";
  const COMMAND = "the command dpchoose epsilon has that";
  // What an answer is called: mean:visits, share:sex=female, count.
  const labelOf = ({ query, column, value }) =>
    query === "count" ? "count" : `${query}:${column}${query === "share" ? `=${value}` : ""}`;

  // The repeated values outside limits that look like codes for a missing one: 9, 98 and 99, 997 to
  // 999 and the like, or their negatives, with nothing between them and the limits.
  function codesBeyond(values, [low, high]) {
    const codes = [];
    for (const [sign, limit] of [
      [-1, -low],
      [1, high],
    ]) {
      const outside = values.filter((value) => sign * value > limit).map((value) => sign * value),
        nearest = outside.reduce((a, b) => Math.min(a, b), Infinity);
      if (!Number.isInteger(nearest)) continue;
      const nines = 10 ** String(nearest).length - 1,
        isCode = (value) => value <= nines && value >= nines - (nines === 9 ? 1 : 2),
        group = outside.filter((value) => isCode(value) && Number.isInteger(value));
      if (isCode(nearest) && group.includes(nines) && group.length > 1)
        codes.push(...new Set(group.map((value) => sign * value)));
    }
    return codes.sort((a, b) => a - b);
  }

  class Source {
    #key = "";

    constructor(table) {
      this.table = table;
      this.columns = new Map(table.columns.map((column) => [column.name, column]));
    }
    // What the page may know of the file.
    summary() {
      const { rows, delimiter, encoding, columns, head } = this.table;
      const named = columns.filter(({ name }) => name);
      return {
        rows,
        delimiter,
        encoding,
        head: head.map((fields) => fields.filter((_, i) => columns[i].name)),
        columns: named.map((column) => column.summary()),
      };
    }
    column(name) {
      const column = this.columns.get(name);
      if (column) return column;
      const names = [...this.columns.keys()].slice(0, 9).join(", ");
      return dp.refuse(`column must be one of ${names}, got ${dp.short(String(name))}`);
    }
    // The places of the rows that miss nothing in some columns.
    complete(columns, dropping) {
      const places = [];
      for (let i = 0; i < this.table.rows; i++) {
        const gap = columns.find((column) => column.misses(i));
        if (!gap) places.push(i);
        else if (!dropping)
          dp.refuse(
            `column ${gap.name} must hold a value in every row, got none in row ` +
              `${gap.firstMissing}, the first of ${dp.grouped(gap.missing)}`,
            { name: "dropMissing", choices: [true] },
          );
      }
      if (places.length < 2)
        dp.refuse(`the file must hold at least 2 records to be asked, got ${places.length}`);
      return places;
    }
    // The values of an answer in some rows.
    values({ query, column: name, value }, places) {
      if (query === "count") return new Float64Array(places.length);
      const column = this.column(name);
      if (query !== "share") {
        if (column.error) dp.refuse(column.error);
        return Float64Array.from(places, (place) => column.numbers[place]);
      }
      const number = /^[+-]?\d+(\.\d*)?$/.test(value) ? Number(value) : NaN,
        texts = column.texts?.map((text) => text === value);
      return Float64Array.from(places, (place) =>
        Number(column.numbers[place] === number || Boolean(texts?.[column.codes[place]])),
      );
    }
    // The limits of an answer; only a share has its own.
    limitsOf({ query, column }, limits) {
      if (query === "count") return null;
      if (query === "share") return [0, 1];
      const given = Object.hasOwn(limits, column) ? limits[column] : [];
      if (given.length !== 2 || given.some((text) => !String(text).trim()))
        dp.refuse(
          `limits of ${column} must be given: public numbers, fixed without looking at the file`,
        );
      return dp.parseLimits(column, given);
    }
    // The groups of some rows: { codes, names }.
    groupsOf(by, places, listed) {
      const column = this.column(by);
      if (!column.labels)
        dp.refuse(`column ${by} must hold fewer different labels to make groups here: ${COMMAND}`);
      const present = [...new Set(places.map((place) => column.codes[place]))];
      const labels = present.map((code) => column.texts[code]),
        names = listed ?? labels.toSorted((a, b) => (a < b ? -1 : 1));
      const other = labels.find((text) => !names.includes(text));
      if (!names.length || new Set(names).size < names.length)
        dp.refuse(`groups must list each group once, got ${names.join(", ") || "none"}`);
      if (other !== undefined)
        dp.refuse(
          `${by} must be one of ${names.slice(0, 9).join(", ")}, as the groups are listed, got ` +
            dp.short(other),
        );
      const order = new Map(names.map((name, i) => [name, i]));
      const codes = Int32Array.from(places, (place) =>
        order.get(column.texts[column.codes[place]]),
      );
      return { codes, names };
    }
    // The setting of a question: { setting, dropped, warnings }.
    prepare(question) {
      const { asks, limits, hide, by, groups, person, perPerson, dropMissing } = question,
        labels = asks.map(labelOf),
        twice = labels.find((label, i) => labels.indexOf(label) < i);
      if (twice) dp.refuse(`each answer must be asked once, got ${twice} twice`);
      const shares = asks.filter(({ query }) => query === "share").map(({ column }) => column),
        odd = asks.find(
          ({ query, column, value }) =>
            query === "share" &&
            (dp.conditionOf(`${column}=${value}`)?.column !== column || value.trim() !== value),
        ),
        several = shares.find((column, i) => shares.indexOf(column) < i);
      if (odd)
        dp.refuse(
          `share must be of a column whose name has no sign of a comparison, got ${odd.column}: ` +
            "rename it",
        );
      if (several)
        dp.refuse(
          `the shares of ${several} must be asked one at a time here: ${COMMAND}, for the noise ` +
            "of one histogram",
        );
      const rows = dp.parsePlain(perPerson, "rows of a person");
      if (rows.d > 1n || rows.n < 1n)
        dp.refuse(`rows of a person must be a whole number of at least 1, got ${perPerson}`);
      const isShare = ({ query }) => query === "share",
        numeric = asks.filter((ask) => !isShare(ask)),
        named = [...numeric, ...asks.filter(isShare)].map(({ column }) => column);
      const needed = [...new Set([...named, by, person])].filter(Boolean),
        columns = needed.map((name) => this.column(name)),
        places = this.complete(columns, dropMissing);
      if (person) this.refuseMoreRows(this.column(person), places, Number(rows.n));
      const known = asks.map((ask) => ({
        ...ask,
        label: labelOf(ask),
        values: this.values(ask, places),
        size: places.length,
        limits: this.limitsOf(ask, limits),
      }));
      for (const ask of known) if (!question.codesAreValues) this.askAboutCodes(ask);
      const nobody = known.filter(
        ({ query, values }) => query === "share" && !values.some(Boolean),
      );
      const warnings = nobody.map(({ column, value }) =>
        dp.fill(dp.words.NO_ROW, { column, value: dp.short(value) }),
      );
      const { codes = null, names = [] } = by
        ? this.groupsOf(by, places, hide ? groups : null)
        : {};
      const how = { asks: known, hidden: hide, codes, names, perPerson: Number(rows.n) };
      return {
        setting: new dp.Everybody(how),
        dropped: this.table.rows - places.length,
        leftOut: columns.filter(({ missing }) => missing).map(({ name }) => name),
        warnings,
      };
    }
    // Values beyond the limits that look like codes for a missing one are asked about.
    askAboutCodes({ query, column, values, limits }) {
      if (query !== "mean" && query !== "sum") return;
      const codes = codesBeyond(values, limits);
      if (!codes.length) return;
      const texts = codes.map((code) => this.column(column).textOf(code));
      const facts = { name: `column ${column}`, codes: texts.join(" and ") };
      dp.refuse(dp.fill(dp.words.CODES, facts), { name: "codes", choices: [texts] });
    }
    refuseMoreRows(column, places, most) {
      const counts = new Map();
      for (const place of places) {
        const key = column.codes ? column.codes[place] : column.numbers[place];
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const more = [...counts.values()].filter((count) => count > most);
      if (!more.length) return;
      const rule = most > 1 ? `at most ${most} times` : "once",
        largest = more.reduce((a, b) => Math.max(a, b));
      dp.refuse(
        `column ${column.name} must name each person ${rule}, got ${dp.grouped(more.length)} with ` +
          `more rows (up to ${largest}): add up a person's rows first`,
      );
    }
    // The answer to a question; what does not depend on the goal is prepared once.
    ask({ goal, already, ...question }) {
      const key = JSON.stringify(question);
      if (this.#key !== key) {
        this.#key = "";
        this.facts = this.prepare(question);
        this.#key = key;
      }
      const { setting, ...facts } = this.facts,
        result = dp.recommend(setting, goal, already);
      return {
        ...facts,
        ...result,
        labels: setting.labels,
        words: dp.wordsOf(setting, result, { ...question, ...facts }),
      };
    }
  }

  Object.assign(dp, { Source, labelOf });
})(globalThis.dpchoose);
