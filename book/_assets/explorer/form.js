// What is asked of the file: the answers, the groups, what is already out. All but one of its records are released.
((x) => {
  "use strict";
  const QUERIES = [
    ["mean", "mean"], ["median", "median"], ["sum", "sum"], ["count", "number of records"], ["var", "variance"],
    ["std", "standard deviation"], ["percentile", "percentile"],
  ];
  const KEY = /^(id|nr|no|number|index|key)$|[_ ](id|nr|no)$|^unnamed/i;
  const FEW = 5; // entries that are not equally spaced by chance

  // Whether a column numbers the rows, and measures nothing: by its name, or by entries that follow each other evenly.
  function numbers(column) {
    const [first, second, ...more] = column.some.map(Number), step = second - first;
    return KEY.test(column.name) || (more.length >= FEW - 2 && more.every((entry, i) => entry === first + (i + 2) * step));
  }

  // The columns of numbers that measure something.
  x.measures = (table) => x.numeric(table).filter((column) => !numbers(column));

  x.numeric = (table) => table.columns.filter((c) => (c.kind === "number" || c.kind === "truth") && !c.error);

  x.Form = class {
    #part; #changed; #table; #asks = []; #out = []; // what is asked, and what is already published

    // `part` finds a part of the page by its name, `changed` is called after every change.
    constructor(part, changed) {
      this.#part = part;
      this.#changed = changed;
      for (const name of ["by", "dropping", "person"]) part(name).addEventListener("change", () => this.#changed());
      part("add").addEventListener("click", () => {
        const { column } = this.#asks.at(-1);
        const taken = this.#asks.filter((one) => one.column === column).map((one) => one.query);
        const [query] = QUERIES.find(([name]) => !taken.includes(name)) ?? QUERIES[0];
        this.#asks.push({ query, p: 90, column });
        this.#rows();
        part("asks").lastChild.querySelector("select").focus();
        this.#changed();
      });
      part("more-out").addEventListener("click", () => {
        this.#out.push({ ...this.#asks[0], scale: "" });
        this.#rows();
        part("out").lastChild.querySelector("select").focus();
      });
    }

    // A new table: what can be asked of it, and what is asked first.
    offer(table, first = {}) {
      const part = this.#part;
      this.#table = table;
      const column = first.column ?? (x.measures(table).find((c) => c.distinct > 1) ?? x.numeric(table)[0]).name;
      this.#asks = [{ query: first.query ?? "mean", p: 90, column }];
      this.#out = [];
      this.#rows();
      const labels = table.columns.filter((c) => c.kind !== "empty");
      x.offer(part("by"), [["", "all together"], ...labels.map((c) => [c.name, c.name])], "");
      x.offer(part("person"), [["", "not checked"], ...labels.map((c) => [c.name, c.name])], "");
      part("by-label").hidden = part("person-label").hidden = table.columns.length < 2;
      part("drop-label").hidden = !table.columns.some((c) => c.missing);
      part("dropping").checked = false;
    }

    // What the worker prepares.
    question() {
      const part = this.#part;
      const pair = (one) => (one.query === "count" ? ["count", null] : [x.queryOf(one), one.column]);
      return {
        asked: this.#asks.map((one) => (one.query === "count" ? ["count"] : pair(one))),
        by: part("by").value || null,
        person: part("person").value || null,
        dropMissing: part("dropping").checked,
        already: this.#out.filter((one) => one.scale !== "").map((one) => [...pair(one), Number(one.scale)]),
      };
    }

    #rows() {
      const rows = (list, name) => list.map((one, place) => this.#row(list, one, `${name} ${place + 1}`));
      this.#part("asks").replaceChildren(...rows(this.#asks, "Answer"));
      this.#part("out").replaceChildren(...rows(this.#out, "Already published"));
    }

    // A line for an answer: what, of which column, with which noise where it is out, and a way to take it back.
    #row(list, one, name) {
      const label = (what) => ({ "aria-label": `${name}: ${what}` }), isOut = list === this.#out;
      const query = x.el("select", label("what")), column = x.el("select", label("column"));
      const rank = x.el("input", { ...label("percent below it"), type: "number", min: 0, max: 100, step: "any" });
      const scale = x.el("input", { ...label("noise scale"), type: "number", min: 0, step: "any", placeholder: "scale" });
      const of = x.el("span", {}, "of");
      const less = x.el("button", { ...label("remove"), type: "button", class: "x-less" }, "×");
      x.offer(query, QUERIES, one.query);
      x.offer(column, x.numeric(this.#table).map((c) => [c.name, c.name]), one.column);
      rank.value = one.p;
      scale.hidden = !isOut;
      if (isOut) scale.value = one.scale;
      less.hidden = !isOut && list.length === 1;
      const show = () => {
        rank.hidden = one.query !== "percentile";
        column.hidden = of.hidden = one.query === "count";
      };
      const change = () => {
        Object.assign(one, { query: query.value, p: Number(rank.value), column: column.value }, isOut && { scale: scale.value });
        show();
        this.#changed();
      };
      for (const control of [query, rank, column, scale]) control.addEventListener("change", change);
      less.addEventListener("click", () => {
        list.splice(list.indexOf(one), 1);
        this.#rows();
        this.#part(isOut ? "more-out" : "add").focus();
        this.#changed();
      });
      show();
      return x.el("div", { class: "x-one" }, query, rank, of, column, scale, less);
    }
  };

  // The name of a query as the package knows it; the 50th percentile has its own.
  x.queryOf = ({ query, p }) => (query !== "percentile" ? query : p === 50 ? "median" : `percentile_${p}`);
})(window.explorer);
