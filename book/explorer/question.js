// The question: one object, what is still missing of it, and the fields in which it is edited.
((x) => {
  "use strict";
  const dp = window.dpchoose;
  const QUERIES = {
    mean: "mean",
    sum: "sum",
    share: "share of rows with",
    count: "number of rows",
  };
  const SIGNS = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "bar",
    ".": "point",
    " ": "space",
    "'": "apostrophe",
  };

  x.blank = () => ({
    situation: "",
    asks: [{ query: "mean", column: "" }],
    limits: Object.create(null),
    from: "",
    hide: false,
    by: "",
    groups: [],
    person: "",
    perPerson: "1",
    dropMissing: false,
    codesAreValues: false,
    already: "1",
    goal: { goal: "odds", value: "3" },
  });

  const isNumeric = ({ kind }) => kind === "number" || kind === "truth",
    isLabelled = ({ labels, kind }) => Boolean(labels) && kind !== "empty";
  const columnOf = (table, name) => table.columns.find((column) => column.name === name),
    offered = (table, query) => table.columns.filter(query === "share" ? isLabelled : isNumeric);
  x.hasAnswers = (table) => table.columns.some((column) => isNumeric(column) || isLabelled(column));
  // The columns whose values are cut to limits.
  x.limited = ({ asks }) => [
    ...new Set(
      asks.filter(({ query }) => query === "mean" || query === "sum").map(({ column }) => column),
    ),
  ];

  // Why a column does not fit an answer; nothing where it does.
  function misfit(table, { query, column: name }) {
    const column = columnOf(table, name);
    if (query === "count" || !name || offered(table, query).includes(column)) return "";
    if (!column) return `The file has no column ${name}. Choose another one`;
    return column.error || `Column ${name} is empty or has too many different labels`;
  }
  // What is still to be said in the third step: { todo, asks }.
  x.whatTodo = (question, table) => {
    const { asks, by, hide, groups, person, dropMissing } = question;
    for (const ask of asks) {
      const wrong = misfit(table, ask);
      if (wrong) return { todo: wrong };
      if (ask.query !== "count" && !ask.column)
        return { todo: `Say which column the ${QUERIES[ask.query]} is of` };
      if (ask.query === "share" && !ask.value)
        return { todo: `Say which ${ask.column} is counted` };
      if (ask.query === "count" && !hide)
        return {
          todo:
            "The number of rows is known where it is not hidden. Hide it, or ask for the share of " +
            "rows with a label",
          asks: { name: "hide", choices: [true] },
        };
    }
    const shares = asks.filter(({ query }) => query === "share").map(({ column }) => column);
    if (new Set(shares).size < shares.length)
      return { todo: "Several shares of one column are one histogram: the command has that" };
    for (const name of [by, person])
      if (name && !columnOf(table, name)) return { todo: `The file has no column ${name}` };
    if (by && !isLabelled(columnOf(table, by))) return { todo: `Column ${by} makes no groups` };
    if (by && hide && !groups.length)
      return { todo: `List the groups of ${by}: the list is public, and empty groups count too` };
    const names = new Set([...asks.map(({ column }) => column), by, person]),
      gaps = table.columns.filter(({ name, missing }) => missing && names.has(name));
    if (gaps.length && !dropMissing) {
      const [{ name, missing, firstMissing }] = gaps;
      return {
        todo:
          `${name} is missing in ${dp.grouped(missing)} of ${dp.grouped(table.rows)} rows, first ` +
          `in row ${firstMissing}`,
        asks: { name: "dropMissing", choices: [true] },
      };
    }
    return { todo: "" };
  };
  x.limitsTodo = (question, how) => {
    for (const name of x.limited(question)) {
      const pair = question.limits[name] ?? ["", ""];
      if (!pair[0] || !pair[1]) return `Type both limits of ${name}`;
      const { wrong, numbers } = x.readLimits(name, pair, how);
      if (wrong) return wrong;
      if (!(numbers[0] < numbers[1])) return `The first limit of ${name} must be the lower one`;
    }
    return "";
  };
  // Limits as they are typed, with the signs of the file: { numbers, texts } or { wrong }.
  x.readLimits = (name, pair, how) => {
    try {
      const texts = pair.map((text) => plainOf(name, text.trim(), how));
      return { texts, numbers: texts.map(Number) };
    } catch (error) {
      return { wrong: error.message };
    }
  };
  function plainOf(name, text, how) {
    const value = dp.numbersLike(how)(text);
    if (typeof value === "number") return plain(value);
    if (how.thousands || how.decimal)
      dp.refuse(
        `limits of ${name} must be written as in the file, such as ` +
          `${x.withSigns(57268.5, how)}, got '${text}'`,
      );
    return plain(dp.float(dp.parsePlain(text.replace("\u2212", "-"), `limits of ${name}`)));
  }
  const plain = (value) =>
    value && !(Math.abs(value) >= 1e-6 && Math.abs(value) < 1e21)
      ? dp.general(value, 17)
      : `${value}`;
  // A number with the signs of the file, its thousands parted.
  x.withSigns = (value, { decimal = ".", thousands }) => {
    if (value && !(Math.abs(value) >= 1e-6 && Math.abs(value) < 1e15)) return dp.general(value, 6);
    const [whole, rest] = String(Math.abs(value)).split("."),
      sign = thousands ?? (decimal === "," ? "." : ","),
      grouped = whole.replace(/\B(?=(\d{3})+$)/g, sign);
    return `${value < 0 ? "−" : ""}${grouped}${rest ? decimal + rest : ""}`;
  };

  const named = (control, name) => {
    control.dataset.name = name;
    return control;
  };
  // The fields of an answer, edited in place; `changed` is called when something has changed.
  function answerFields(ask, table, place, changed) {
    const name = place ? `Answer ${place + 1}: ` : "";
    const set = (more) => {
      Object.assign(ask, more);
      changed();
    };
    const choose = (kind, options, value, then, empty) => {
      const gap = value ? [] : [["", empty]],
        stranger = value && !options.some(([option]) => option === value);
      const strange = stranger ? [[value, `${x.fit(value, 40)} (does not fit)`]] : [];
      const select = x.select(`${name}${kind}`, [...gap, ...strange, ...options], value, then);
      if (stranger) select.setAttribute("aria-invalid", "true");
      return named(select, `${kind}-${place}`);
    };
    const query = choose("what", Object.entries(QUERIES), ask.query, (value) =>
      set({ query: value, value: "" }),
    );
    if (ask.query === "count") return [query];
    const columns = offered(table, ask.query).map((column) => [
      column.name,
      x.fit(column.name, 40),
    ]);
    const column = choose(
      "column",
      columns,
      ask.column,
      (value) => set({ column: value, value: "" }),
      "choose a column",
    );
    if (ask.query !== "share") return [query, " of ", column];
    const labels = (columnOf(table, ask.column)?.labels ?? []).map((text) => [
        text,
        x.fit(text, 40),
      ]),
      value = choose(
        "value",
        labels,
        ask.value,
        (label) => set({ value: label }),
        "choose a value",
      );
    return [query, column, " = ", value];
  }

  // Put nodes in a place; what had the focus there has it again.
  x.put = (place, nodes) => {
    const { name } = place.contains(document.activeElement) ? document.activeElement.dataset : {};
    place.replaceChildren(...nodes);
    if (name) place.querySelector(`[data-name="${CSS.escape(name)}"]`)?.focus();
  };
  x.sentence = (place, question, table, changed) => {
    const more = question.asks.length - 1;
    x.put(place, [
      "The ",
      ...answerFields(question.asks[0], table, 0, changed),
      more ? `, with ${more} more answer${more > 1 ? "s" : ""}` : "",
    ]);
  };

  const line = (...children) => x.el("p", { class: "x-fields" }, ...children);
  const box = (words, checked, then) => {
    const tick = named(x.el("input", { type: "checkbox" }), words);
    tick.checked = checked;
    tick.addEventListener("change", () => then(tick.checked));
    return x.el("label", {}, tick, x.el("span", {}, words));
  };
  const choice = (label, options, value, then) =>
    x.el("label", {}, `${label} `, named(x.select(label, options, value, then), label));

  // All the rest of the question, under small headings.
  x.form = (place, question, table, changed) => {
    const { asks } = question,
      set = (more) => {
        Object.assign(question, more);
        changed();
      },
      text = (label, name, size) =>
        x.el(
          "label",
          {},
          `${label} `,
          named(
            x.input(label, question[name], size, (value) => set({ [name]: value || "1" })),
            name,
          ),
        );
    const names = table.columns.map(({ name }) => [name, name]),
      answers = asks.slice(1).map((ask, i) => {
        const less = x.button(
          "×",
          () => {
            asks.splice(i + 1, 1);
            changed();
          },
          { class: "x-less", "aria-label": `Answer ${i + 2}: remove` },
        );
        return line("The ", ...answerFields(ask, table, i + 1, changed), less);
      });
    const add = x.button("Add an answer", () => {
      asks.push({ query: "mean", column: "" });
      changed();
    });
    const groups = table.columns.filter(isLabelled).map(({ name }) => [name, name]);
    const area = named(x.el("textarea", { rows: 4, "aria-label": "Groups, one a line" }), "groups");
    area.value = question.groups.join("\n");
    area.addEventListener("change", () => {
      const lines = area.value.split("\n").map((label) => label.trim());
      set({ groups: lines.filter(Boolean) });
    });
    const listed = `All groups of ${question.by}, one a line, whether or not the file has them `;
    x.put(place, [
      x.el("h4", {}, "More answers"),
      ...answers,
      line(named(add, "add")),
      x.el("h4", {}, "Groups"),
      line(
        choice("An answer for each", [["", "no groups"], ...groups], question.by, (by) =>
          set({ by }),
        ),
      ),
      x.el("h4", {}, "Protection"),
      line(
        box(
          "Hide how many rows there are: being in the file is then protected too",
          question.hide,
          (hide) => set({ hide }),
        ),
      ),
      ...(question.hide && question.by ? [line(x.el("label", {}, listed, area))] : []),
      line(
        choice("Whose row it is", [["", "not said"], ...names], question.person, (person) =>
          set({ person }),
        ),
        text("Rows that a person may have", "perPerson", 4),
      ),
      line(text("Factor of what is out already about these people (1 for nothing)", "already", 5)),
      ...(table.columns.some(({ missing }) => missing)
        ? [
            line(
              box("Leave out rows that miss a value", question.dropMissing, (dropMissing) =>
                set({ dropMissing }),
              ),
            ),
          ]
        : []),
    ]);
  };

  // The limits of each column, echoed as they are read.
  x.limitFields = (place, question, how, changed) => {
    const { limits } = question;
    const rows = x.limited(question).map((name) => {
      const echo = x.el("p", { role: "status" });
      const tell = () => {
        const pair = limits[name] ?? ["", ""],
          { wrong, numbers } = pair.every(Boolean) ? x.readLimits(name, pair, how) : {};
        const range = numbers?.map((value) => x.withSigns(value, how)).join(" to ");
        echo.className = wrong ? "x-wrong" : "x-echo";
        echo.textContent = range ? `Each ${name} counts as ${range}.` : (wrong ?? "");
      };
      const fields = ["Lowest", "Highest"].map((end, i) => {
        const set = (text) => {
          limits[name] = (limits[name] ?? ["", ""]).with(i, text);
          tell();
          changed();
        };
        const value = limits[name]?.[i],
          hint = { placeholder: end.toLowerCase() };
        return named(x.input(`${end} ${name}`, value, 8, set, hint), `limit-${i}-${name}`);
      });
      tell();
      const label = x.el("span", {}, x.fit(name, 60));
      const together = x.el("span", { class: "x-one" }, fields[0], " to ", fields[1]);
      return x.el("div", { class: "x-limit" }, line(label, " from ", together), echo);
    });
    x.put(place, rows);
  };

  // The signs with which a file is read, in its card.
  x.signs = (table, how, again) => {
    const read = (label, name, options, fallback) =>
      choice(
        label,
        options.map((sign) => [sign, sign ? (SIGNS[sign] ?? sign) : "none"]),
        how[name] ?? fallback,
        (value) => again({ [name]: value || undefined }),
      );
    const thousands = ["", ".", ",", " ", "'"].filter((sign) => sign !== (how.decimal ?? "."));
    const missing = x.input(
      "Missing values, besides NA and its like",
      (how.missing ?? []).join(" "),
      6,
      (text) => again({ missing: text ? text.split(/[\s,;]+/).filter(Boolean) : undefined }),
    );
    return line(
      read("delimiter", "delimiter", [",", ";", "\t", "|"], table.delimiter),
      read("decimal sign", "decimal", [".", ","], "."),
      read("thousands", "thousands", thousands, ""),
      read(
        "encoding",
        "encoding",
        ["utf-8", "cp1252", "utf-16"],
        table.encoding.slice(0, 6).replace("window", "cp1252"),
      ),
      x.el("label", {}, "missing values besides NA ", named(missing, "missing")),
    );
  };

  // A step that is done, in one line.
  x.whatLine = (question) => {
    const [first, ...more] = question.asks.map((ask) => x.named(dp.labelOf(ask)));
    return [
      `The ${first}${more.length ? ` and ${more.length} more` : ""}`,
      question.by && ` for each ${question.by}`,
      question.hide && "; the number of rows is hidden",
      question.dropMissing && "; without rows that miss a value",
      question.perPerson !== "1" && `; up to ${question.perPerson} rows a person`,
      question.already !== "1" && `; factor ${question.already} is out already`,
    ]
      .filter(Boolean)
      .join("");
  };
  x.limitsLine = (question, how) => {
    const lines = x.limited(question).map((name) => {
      const { numbers } = x.readLimits(name, question.limits[name] ?? ["", ""], how);
      return numbers ? `${name}: ${numbers.map((v) => x.withSigns(v, how)).join(" to ")}` : name;
    });
    if (!lines.length) return "A share and a count need none";
    return lines.join("; ") + (question.from ? `, from ${question.from}` : "");
  };
  // The question as the worker takes it.
  x.asked = (question, how) => ({
    ...question,
    limits: Object.fromEntries(
      x
        .limited(question)
        .map((name) => [name, x.readLimits(name, question.limits[name], how).texts]),
    ),
    codesAreValues: (how.missing ?? []).includes("none"),
  });
})(window.explorer);
