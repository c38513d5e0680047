// The question: one object, the sentence in which its first answer is edited, and the form with all the rest.
((x) => {
  "use strict";
  const QUERIES = { mean: "mean", sum: "sum", share: "share of rows with", count: "number of rows", median: "median", percentile: "percentile" };
  const OFFERED = { everybody: ["mean", "sum", "share"], known: ["mean", "sum", "median", "percentile", "share"], "": ["mean", "sum", "share"] };
  const FACTORS = [1.1, 1.2, 1.3, 1.4, 1.5, 1.7, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100];
  const RISKS = ["0.01%", "0.02%", "0.05%", "0.1%", "0.2%", "0.5%", "1%", "2%", "3%", "5%", "7%", "10%", "15%", "20%", "25%", "30%", "1/3", "40%", "50%", "60%", "70%",
    "80%", "90%", "95%", "99%", "99.9%"];
  const SIGNS = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ".": "point", " ": "space", "'": "apostrophe" };

  x.blank = () => ({ situation: "", asks: [{ query: "mean", column: "" }], limits: Object.create(null), hide: false, by: "", groups: [], person: "", dropMissing: false, already: [],
    goal: { goal: "odds", value: "3" } });

  const numeric = (table) => table.columns.filter(({ kind }) => kind === "number" || kind === "truth");
  const labelled = (table) => table.columns.filter(({ labels, kind }) => labels && kind !== "empty");
  const offered = (table, query) => (query === "share" ? labelled(table) : numeric(table)).map(({ name }) => name);
  const isFree = (table, { query, column }) => query === "share" || query === "count" || table.columns.find(({ name }) => name === column)?.binary;
  const needy = (table, question) => [...new Set([...question.asks, ...question.already].filter((one) => one.column && !isFree(table, one)).map((one) => one.column))];

  // What of a question still makes sense for a table.
  x.suited = (question, table) => {
    const known = new Set(table.columns.map(({ name }) => name)), blank = x.blank(), fits = (one) => one.query === "count" || offered(table, one.query).includes(one.column);
    const asks = question.asks.filter(fits), [only, ...more] = numeric(table);
    const first = only && !more.length ? [{ query: "mean", column: only.name }] : blank.asks;
    return { ...blank, ...question, asks: asks.length ? asks : first, by: known.has(question.by) ? question.by : "", person: known.has(question.person) ? question.person : "",
      already: question.already.filter(fits), limits: Object.assign(Object.create(null), Object.fromEntries(Object.entries(question.limits).filter(([name]) => known.has(name)))) };
  };

  // The question as the worker takes it, or what has still to be said.
  x.asked = (question, table) => {
    const { situation, asks, already, limits, goal } = question, todo = (words) => ({ todo: words });
    if (!situation) return todo("Say who is in the number.");
    const whole = (one) => (one.query === "percentile" ? { ...one, query: `percentile_${one.rank ?? ""}` } : one), every = [...asks, ...already];
    const open = every.find((one) => one.query !== "count" && !one.column);
    if (open) return todo(`Say which column the ${QUERIES[open.query]} is of.`);
    if (every.some((one) => one.query === "percentile" && !/^(100|[1-9]?\d(\.\d*[1-9])?)$/.test(one.rank ?? ""))) return todo("Say which percentile: a number from 0 to 100, such as 90.");
    const share = every.find((one) => one.query === "share" && !one.value);
    if (share) return todo(`Say which ${share.column} the share is of.`);
    if (already.some((one) => !one.scale)) return todo("Type the noise scale of what is out already.");
    const bare = situation === "everybody" && needy(table, question).find((name) => !limits[name]?.[0] || !limits[name]?.[1]);
    if (bare) {
      return todo(`Type the limits of ${bare}: two numbers that anybody may know, such as 0 and 60. None are offered: a limit that is looked up in the file ` +
        "gives its extremes away.");
    }
    if (!String(goal.value).trim() || (goal.goal === "risk" && goal.before === "")) return todo("Type what you accept.");
    if (situation === "everybody" && question.by && question.hide && !question.groups.length) return todo(`List the groups of ${question.by}: the list is public, and empty groups get an answer too.`);
    const used = situation === "everybody" ? needy(table, question) : [];
    return { question: { ...question, asks: asks.map(whole), already: already.map(whole), limits: Object.fromEntries(used.map((name) => [name, limits[name]])) } };
  };

  // The values of the slider for a goal.
  x.steps = (goal, records) => (goal === "odds" ? FACTORS.map(String) : RISKS.filter((text) => window.dpchoose.float(window.dpchoose.parseRisk(text)) > 1 / records));
  x.goals = (situation) => [["odds", "Factor, at most"], ...(situation === "known" ? [["risk", "Risk for who suspects nobody"]] : []),
    ["before", "A suspicion may become"], ["error", "Error that I need, ±"]];

  // One answer, edited in place: `changed` is called when something of it has changed.
  function parts(one, table, situation, place, changed, hide) {
    const name = place ? `Answer ${place + 1}: ` : "", queries = [...OFFERED[situation], ...(hide ? ["count"] : [])];
    const set = (more) => { Object.assign(one, more); changed(); };
    const query = x.select(`${name}what`, queries.map((key) => [key, QUERIES[key]]), one.query, (value) =>
      set({ query: value, column: offered(table, value).includes(one.column) ? one.column : "", value: "" }));
    query.dataset.name = `query-${place}`;
    if (one.query === "count") return [query];
    const names = offered(table, one.query).map((column) => [column, x.fit(column, 40)]);
    const column = x.select(`${name}column`, [...(one.column ? [] : [["", "choose a column"]]), ...names], one.column, (value) => set({ column: value, value: "" }));
    column.dataset.name = `column-${place}`;
    if (one.query === "share") {
      const labels = table.columns.find((other) => other.name === one.column)?.labels ?? [];
      const value = x.select(`${name}value`, [...(one.value ? [] : [["", "choose a value"]]), ...labels.map((label) => [label, x.fit(label, 40)])], one.value, (label) => set({ value: label }));
      value.dataset.name = `value-${place}`;
      return [query, column, " = ", value];
    }
    if (one.query !== "percentile") return [query, " of ", column];
    const rank = x.input(`${name}percent below it`, one.rank, 4, (text) => set({ rank: text }), { inputmode: "decimal" });
    rank.dataset.name = `rank-${place}`;
    return [rank, "% ", query, " of ", column];
  }

  function limitsOf(name, question, changed) {
    const { limits } = question, pair = () => limits[name] ?? ["", ""];
    return [0, 1].map((end) => {
      const set = (text) => { limits[name] = pair().with(end, text); changed(); };
      const made = x.input(`${end ? "Highest" : "Lowest"} ${name}`, pair()[end], 5, set, { placeholder: end ? "highest" : "lowest" }); // a keyboard for numbers may lack the minus
      made.dataset.name = `limit-${end}-${name}`;
      return made;
    });
  }

  // Two fields with what stands between them, and after them on the same line.
  const between = ([low, high], after = "") => [low, " to ", x.el("span", { class: "x-one" }, high, after)];

  // Put nodes in a place; what had the focus there has it again.
  function put(place, nodes) {
    const { name } = place.contains(document.activeElement) ? document.activeElement.dataset : {};
    place.replaceChildren(...nodes);
    if (name) place.querySelector(`[data-name="${CSS.escape(name)}"]`)?.focus();
  }

  // The sentence, in which `out.error` and `out.promise` stand for what is answered.
  x.sentence = (place, question, table, file, changed) => {
    const { situation, asks, hide, by } = question, [first, ...more] = asks, many = table.rows.toLocaleString("en");
    const [comma, error, promise] = ["x-comma", "x-use", "x-safe"].map((name) => x.el("span", { class: name }));
    const nodes = ["The ", ...parts(first, table, situation, 0, changed, hide && situation === "everybody")];
    if (situation === "known") nodes.push(` of ${(table.rows - 1).toLocaleString("en")} of the ${many} rows of `);
    else nodes.push(first.query === "count" ? " of " : hide ? " of all rows of " : ` of all ${many} rows of `);
    nodes.push(x.el("strong", {}, x.fit(file, 60)), question.dropMissing ? ", but for those that miss a value" : "");
    if (situation !== "known" && by) nodes.push(`, for each ${by}`);
    if (situation === "everybody" && first.column && !isFree(table, first)) nodes.push(", cut to ", ...between(limitsOf(first.column, question, changed), more.length ? "" : comma));
    if (more.length) nodes.push(`, with ${more.length} more answer${more.length > 1 ? "s" : ""}`);
    put(place, [...nodes, ...(nodes.at(-1).contains?.(comma) ? [] : [comma]), " ", error, " ", promise]);
    return { comma, error, promise };
  };

  // All the rest, under "Change the question".
  x.form = (place, question, table, how, changed, again) => {
    const { situation, asks, already } = question, set = (more) => { Object.assign(question, more); changed(); }, nodes = [];
    const line = (...children) => x.el("p", { class: "x-line" }, ...children), box = (words, on, then) => {
      const tick = x.el("input", { type: "checkbox" });
      tick.checked = on;
      tick.dataset.name = words;
      tick.addEventListener("change", () => then(tick.checked));
      return x.el("label", {}, tick, ` ${words}`);
    };
    const choice = (label, options, value, then) => {
      const made = x.select(label, options, value, then);
      made.dataset.name = label;
      return x.el("label", {}, `${label} `, made);
    };
    const less = (list, i, words) => x.button("×", () => { list.splice(i, 1); changed(); }, { class: "x-less", "aria-label": `${words}: remove` });
    if (situation === "everybody") {
      const inSentence = isFree(table, asks[0]) ? [] : [asks[0].column];
      asks.slice(1).forEach((one, i) => nodes.push(line(...parts(one, table, situation, i + 1, changed, question.hide), less(asks, i + 1, `Answer ${i + 2}`))));
      nodes.push(line(x.button("Add an answer", () => { asks.push({ query: "mean", column: "" }); changed(); })));
      already.forEach((one, i) => {
        const scale = x.input(`Already published ${i + 1}: noise scale`, one.scale, 6, (text) => { one.scale = text; changed(); }, { inputmode: "decimal" });
        scale.dataset.name = `scale-${i}`;
        nodes.push(line("Already out: ", ...parts(one, table, situation, 100 + i, changed, question.hide), " with noise of scale ", scale, less(already, i, `Already published ${i + 1}`)));
      });
      nodes.push(line(x.button("Add what is out already", () => { already.push({ query: "mean", column: "", scale: "" }); changed(); })));
      for (const name of needy(table, question).filter((one) => !inSentence.includes(one))) nodes.push(line(`${name}, cut to `, ...between(limitsOf(name, question, changed))));
      nodes.push(line(choice("An answer for each", [["", "no groups"], ...labelled(table).map(({ name }) => [name, name])], question.by, (by) => set({ by }))));
      nodes.push(line(box("Hide how many rows there are, so that being in the file is protected too", question.hide, (hide) => set({ hide }))));
      if (question.hide && question.by) {
        const area = x.el("textarea", { rows: 4, "aria-label": "Groups, one a line", "data-name": "groups" });
        area.value = question.groups.join("\n");
        area.addEventListener("change", () => set({ groups: area.value.split("\n").map((text) => text.trim()).filter(Boolean) }));
        nodes.push(line(x.el("label", {}, `All groups of ${question.by}, one a line, whether or not the file has them `, area)));
      }
    }
    nodes.push(line(choice("Whose row it is", [["", "not said"], ...table.columns.map(({ name }) => [name, name])], question.person, (person) => set({ person }))));
    if (table.columns.some(({ missing }) => missing)) nodes.push(line(box("Leave out rows that miss a value", question.dropMissing, (dropMissing) => set({ dropMissing }))));
    const read = (label, sign, options, fallback) => choice(label, options.map((one) => [one, one ? SIGNS[one] ?? one : "none"]), how[sign] ?? fallback, (value) => again({ [sign]: value || undefined }));
    nodes.push(line("The file is read with ", read("delimiter", "delimiter", Object.keys(SIGNS).slice(0, 4), table.delimiter), read("decimal sign", "decimal", [".", ","], "."),
      read("thousands", "thousands", ["", ".", ",", " ", "'"].filter((one) => one !== (how.decimal ?? ".")), ""), read("encoding", "encoding", ["utf-8", "cp1252", "utf-16"], table.encoding.slice(0, 6).replace("window", "cp1252")),
      x.el("label", {}, "missing values are ", x.input("missing values", (how.missing ?? []).join(" "), 6, (text) => again({ missing: text ? text.split(/\s+/) : undefined }), { "data-name": "missing" }))));
    const closed = table.columns.filter(({ error, bad }) => error && bad < table.rows / 2);
    if (closed.length) nodes.push(x.el("p", { class: "x-note" }, `Not offered as numbers: ${closed.slice(0, 3).map(({ error }) => error).join("; ")}${closed.length > 3 ? `; and ${closed.length - 3} more` : ""}.`));
    put(place, nodes);
  };
})(window.explorer);
