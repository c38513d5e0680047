// The file that is dropped on the page, and the messages between the page and the worker that reads it: see recommend.js.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";

  // A file, what its columns hold, and those that were asked for, which are read when they are.
  class Source {
    constructor(file, how = {}) {
      Object.assign(this, { file, how, kept: new Map() });
      this.asNumber = dp.numbersLike(how);
    }

    // Go through the file once, and say what its columns are.
    async look(tell) {
      let looks = [];
      const begin = (names) => { looks = names.map((name) => name && new dp.Look(name, this.asNumber)); };
      const take = (fields, row, absent) => {
        for (let i = 0; i < looks.length; i++) {
          if (!looks[i]) continue;
          const text = fields[i].trim();
          looks[i].take(absent.has(text) ? null : text, row);
        }
      };
      const { rows, delimiter, encoding } = await dp.readTable(this.file, this.how, begin, take, tell);
      Object.assign(this, { rows, delimiter, encoding });
      return { rows, delimiter, encoding, columns: looks.filter(Boolean).map((look) => look.summary()) };
    }

    // The columns by name, of numbers or of texts; those that are not at hand are read.
    async columns(numbers, texts, tell) {
      const key = (kind, name) => `${kind}:${name}`;
      const wanted = [...numbers.map((name) => ["number", name]), ...texts.map((name) => ["text", name])];
      const lacking = wanted.filter(([kind, name]) => !this.kept.has(key(kind, name)));
      if (lacking.length || !this.rows) {
        const found = new Map();
        let takers = [];
        const begin = (names) => {
          for (const [, name] of lacking) {
            if (!names.includes(name)) {
              throw new dp.Refusal(`column must be one of ${names.filter(Boolean).join(", ")}, got ${dp.short(name)}`);
            }
          }
          takers = lacking.map(([kind, name]) => {
            const column = new dp.Kept(name, kind === "number" ? this.asNumber : null);
            found.set(key(kind, name), column);
            return [names.indexOf(name), column];
          });
        };
        const take = (fields, row, absent) => {
          for (const [at, column] of takers) {
            const text = fields[at].trim();
            column.take(absent.has(text) ? null : text, row);
          }
        };
        const { rows, delimiter, encoding } = await dp.readTable(this.file, this.how, begin, take, tell);
        Object.assign(this, { rows, delimiter, encoding });
        for (const [name, column] of found) this.kept.set(name, column);
      }
      return (kind, name) => this.kept.get(key(kind, name));
    }

    // The records that are asked for, as dpchoose.prepare takes them.
    async prepare({ asked, by = null, released = null, person = null, dropMissing = false, releaseSize = null,
      adjacency = "unbounded", already = [] }, tell) {
      for (const [query, column] of [...asked, ...already]) {
        if (query === "count" && column) {
          throw new dp.Refusal(`count must be asked without a column, got count:${column}: did you mean sum:${column}? ` +
            "(count is the number of released records)");
        }
      }
      const numbers = [...new Set([...asked, ...already].map(([, column]) => column).filter(Boolean))];
      const texts = [...new Set([by, released, person].filter(Boolean))];
      const column = await this.columns(numbers, texts, tell);
      const numbersOf = numbers.map((name) => column("number", name));
      const places = []; // rows in which no number is missing
      for (let i = 0; i < this.rows; i++) if (numbersOf.every((one) => !Number.isNaN(one.values[i]) || isBad(one, i + 1))) places.push(i);
      if (places.length < this.rows && !dropMissing) throw missingOf(numbersOf, this.rows);
      const dropped = new Set();
      if (places.length < this.rows) {
        const kept = new Set(places);
        for (let i = 0; i < this.rows; i++) if (!kept.has(i)) dropped.add(i + 1);
      }
      if (places.length < 2) throw new dp.Refusal(`CSV file must hold at least 2 records, got ${places.length}`);
      const row = (i) => places[i] + 1;
      const textOf = (name) => chosen(column("text", name), places);
      if (person) dp.oneRowEach(textOf(person), row);
      for (const one of numbersOf) one.check((number) => !dropped.has(number));
      let labels = null;
      if (by) {
        const groups = textOf(by);
        dp.labelled(groups, row);
        labels = Array.from(groups.values, (code) => groups.texts[code]);
      }
      let size = releaseSize ?? places.length - 1;
      if (released) {
        const said = dp.releasedOf(textOf(released), row);
        if (releaseSize !== null && releaseSize !== said) {
          throw new dp.Refusal(`--release-size must be the ${said} of --released, got ${releaseSize}`);
        }
        size = said;
      }
      const values = new Map(numbersOf.map((one) => [one.name, places.length < this.rows
        ? Float64Array.from(places, (place) => one.values[place]) : one.values]));
      const statistic = ([query, name = null, scale]) => ({ query, column: name, values: name ? values.get(name) : null, scale });
      this.setting = dp.prepare({
        statistics: asked.map(statistic), records: places.length, releaseSize: size, adjacency, by: labels, already: already.map(statistic),
      });
      return {
        records: places.length, releaseSize: size, dropped: dropped.size, labels: this.setting.labels,
        groups: this.setting.names?.length ?? 0,
        warnings: [...values].map(([name, one]) => dp.warningOf(one, `column ${name}`)).filter(Boolean),
      };
    }
  }

  const isBad = (column, row) => column.bad.some((one) => one.row === row);

  function missingOf(columns, rows) {
    for (const { name, values, ...column } of columns.map((one) => ({ name: one.name, values: one.values, bad: one.bad }))) {
      let count = 0, first = 0;
      for (let i = 0; i < rows; i++) {
        if (Number.isNaN(values[i]) && !isBad(column, i + 1)) {
          count++;
          first ||= i + 1;
        }
      }
      if (count) {
        return new dp.Refusal(`column ${name} must be complete, got ${count} missing value${count > 1 ? "s" : ""}, the first in row ` +
          `${first}: drop them (--drop-missing) or fill them in`, { name: "dropMissing", choices: [true] });
      }
    }
    return null;
  }

  // The entries of a column of text at some places.
  function chosen(column, places) {
    const values = Int32Array.from(places, (place) => column.values[place]);
    return { name: column.name, texts: column.texts, values, size: places.length, text: (i) => (values[i] < 0 ? null : column.texts[values[i]]) };
  }

  // Answer the messages of a page: `scope` is the worker's own.
  function serve(scope) {
    const waiting = [];
    let source = null, busy = false;
    const work = {
      async read({ file, how }, tell) {
        const next = new Source(file, how), table = await next.look(tell);
        source = next; // the last good file stays until another is
        return table;
      },
      async prepare({ ask }, tell) {
        if (!source) throw new Error("a file must be read first");
        return source.prepare(ask, tell);
      },
      async recommend({ id, do: _, ...how }) {
        return source.setting.recommend(how);
      },
      async curve({ scales }) {
        return scales.map((one) => source.setting.riskAt(one));
      },
    };
    async function run() {
      busy = true;
      while (waiting.length) {
        await new Promise((done) => setTimeout(done, 0)); // so that what came meanwhile is seen
        const message = waiting.shift(), { id } = message;
        if (waiting.some((later) => later.do === message.do && message.do !== "read")) { // nobody waits for it any more
          scope.postMessage({ id, superseded: true });
          continue;
        }
        try {
          const tell = (progress) => scope.postMessage({ id, progress });
          scope.postMessage({ id, done: await work[message.do](message, tell) });
        } catch (error) {
          scope.postMessage({ id, error: error.message, asks: error.asks ?? null });
        }
      }
      busy = false;
    }
    scope.onmessage = ({ data }) => {
      waiting.push(data);
      if (!busy) run();
    };
  }

  // The text of a worker with all of the mathematics, made of what has been loaded: a file cannot be fetched from a file.
  function workerSource() {
    const loaded = dp.parts.map((part) =>
      `((part) => { const dp = (globalThis.dpchoose ??= { parts: [] }); Object.assign(dp, part(dp)); dp.parts.push(part); })(${part});`);
    return `${loaded.join("\n")}\ndpchoose.serve(self);`;
  }

  return { Source, serve, workerSource };
});
