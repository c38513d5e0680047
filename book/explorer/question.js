// The question: one object of texts, what is still to be said of it, and the fields of its answers
// and limits. All other fields stand in the page, each with the name of what it holds.
((x) => {
  "use strict";
  const dp = window.dpchoose;
  x.blank = () => ({
    ...x.BLANK,
    asks: [{ query: "mean", column: "", value: "" }],
    limits: Object.create(null),
  });

  // What of a question still holds of another file: all where it has the same columns, as the
  // first one has when it is mended; else nothing of what is asked of columns.
  x.ofAnother = (question, before, now) => {
    const names = ({ columns }) => JSON.stringify(columns.map(({ name }) => name));
    if (names(before) === names(now)) return question;
    const { goal, value, before: belief, hide, already } = question,
      kept = goal === "error" ? {} : { goal, value, before: belief };
    return { ...x.blank(), ...kept, hide, already };
  };

  // Whether a column has answers of a kind.
  x.fits = ({ kind, labels }, query) =>
    query === "share" ? labels && kind !== "empty" : kind === "number" || kind === "truth";
  x.offered = ({ columns }, query) =>
    columns.filter((column) => x.fits(column, query)).map(({ name }) => name);
  // The columns whose values are cut to limits.
  x.limited = ({ asks }) => [
    ...new Set(
      asks.filter(({ query }) => query === "mean" || query === "sum").map(({ column }) => column),
    ),
  ];

  const because = (message, choices) => ({ message, choices });
  // Why an answer cannot be asked of a table: { message, choices }; nothing where it can.
  function misfit({ query, column: name, value }, { columns }, hide) {
    const column = columns.find((other) => other.name === name);
    if (query === "count") return hide ? null : COUNT;
    if (!name) return because(`Say which column the ${query} is of`);
    if (!column) return because(`The file has no column ${name}. Choose another one`);
    if (!x.fits(column, query))
      return because(
        column.error || `Column ${name} is empty, or has too many labels: ask dpchoose epsilon`,
      );
    if (query !== "share") return null;
    if (!value) return because(`Say which ${name} is counted`);
    // the command takes the longest name that fits
    const text = `${name}=${value}`,
      fits = (longer) => text.startsWith(longer) && /^\s*[<>=]/.test(text.slice(longer.length)),
      other = columns.find((one) => one.name.length > name.length && fits(one.name));
    return other && because(`${text} may be of the column ${other.name}: rename one`);
  }
  const COUNT = because(
    "The number of rows is known where it is not hidden. Hide it, or ask for the share of rows " +
      "with a label",
    [{ words: "hide the number of rows", hide: "n" }],
  );
  // What is still to be said in the third step: { message, choices }; nothing where all is said.
  x.whatTodo = (question, table, look) => {
    const { asks, by, hide, groups, person, dropMissing } = question;
    const { columns, rows } = table,
      shares = asks.filter(({ query }) => query === "share").map(({ column }) => column),
      group = columns.find(({ name }) => name === by);
    for (const ask of asks) {
      const wrong = misfit(ask, table, hide);
      if (wrong) return wrong;
    }
    if (new Set(shares).size < shares.length)
      return because("Several shares of one column are one histogram: ask dpchoose epsilon");
    if (by && !(group && x.fits(group, "share")))
      return because(`The file has no column ${by} that makes groups`);
    if (by && hide && !groups.trim())
      return because(`List the groups of ${by}: the list is public, and empty groups count too`);
    if (person && !columns.some(({ name }) => name === person))
      return because(`The file has no column ${person} that says whose row it is`);
    const gaps = x.gaps({ asks, by, person }, table);
    if (!gaps.length || dropMissing) return x.whoseTodo(question);
    const gone = gaps.length > 1 ? look?.gone : gaps[0].missing,
      first = gaps.map(({ firstMissing }) => firstMissing).reduce((a, b) => Math.min(a, b)),
      of = `${dp.grouped(gone ?? 0)} of ${dp.grouped(rows)} rows, first in row ${first} below the names`;
    if (!gone) return because(UNSEEN);
    return because(`${dp.listing(names(gaps), "or")} is missing in ${of}`, [
      { words: "leave these rows out", dropMissing: "drop" },
    ]);
  };
  x.whoseTodo = ({ whose, person, perPerson }) => {
    if (!whose) return because("Say whose row it is");
    if (whose === "row" || person || perPerson !== "1") return null;
    return because("Say which column tells whose row it is, or how many rows a person may have");
  };
  const UNSEEN = "The rows were not looked through: Continue does it";
  // Why people have too many rows, as a look through the rows tells; nothing where nobody has.
  x.peopleTodo = ({ person, perPerson }, look) => {
    const message = look ? look.refusal : UNSEEN;
    if (!message || !(person || perPerson !== "1")) return null;
    return { message, choices: look?.choices, place: "people-todo" };
  };
  // Whether the summary of a file does not tell all that is to be said in the third step; and what
  // is then asked of the rows.
  x.needsLook = (question, table) =>
    question.person || question.perPerson !== "1" || x.gaps(question, table).length > 1;
  x.looked = ({ asks, by, person, keepRows }) => ({
    asks: asks.map(({ query, column }) => ({ query, column })),
    by,
    person,
    keepRows,
  });
  const names = (columns) => columns.map(({ name }) => name);
  // The columns that are asked and miss values.
  x.gaps = ({ asks, by, person }, { columns }) => {
    const asked = [...asks.map(({ column }) => column), by, person];
    return columns.filter(({ name, missing }) => missing && asked.includes(name));
  };
  // A column whose entries are hundreds, of which most stand in several rows, may name persons.
  x.suspect = ({ columns }) =>
    columns.find(({ kind, entries, repeated, name }) => {
      const isName =
        kind === "text" ||
        (kind === "number" &&
          /(^|[^a-z])(id|nr|no|code|key|person|patient|member|client|user)s?([^a-z]|$)/i.test(
            name,
          ));
      return isName && entries >= 100 && repeated > entries / 2;
    })?.name ?? "";
  x.limitsTodo = (question, how) => {
    const left = limitsOf(question, how).find(({ pair }) => !pair);
    return left ? because(left.message || `Type both limits of ${left.name}`) : null;
  };
  // The limits of each column as they are typed, with the signs of the file: { name, pair } of
  // numbers, or { name, message } where they are none; the message is empty where one is to come.
  const limitsOf = (question, how) =>
    x.limited(question).map((name) => {
      const texts = question.limits[name] ?? [];
      if (texts.filter(Boolean).length < 2) return { name, message: "" };
      try {
        const pair = texts.map((text) => limitOf(name, text, how));
        if (pair[1] - pair[0] >= dp.words.SMALLEST) return { name, pair };
        return { name, message: `The first limit of ${name} must be the lower one` };
      } catch ({ message }) {
        return { name, message };
      }
    });
  // A number without a unit, a fraction or a range, also with a decimal comma or parted thousands.
  const PLAIN = /^[+-]?(\d+[.,]?\d*|[.,]\d+|\d{1,3}(,\d{3})+(\.\d+)?)(e[+-]?\d+)?$/i;
  function limitOf(name, text, how) {
    const value = dp.numbersLike(how)(text);
    if (typeof value === "number") return value;
    const like = x.withSigns(57268.5, how);
    if (how.thousands || how.decimal)
      dp.refuse(`limits of ${name} must be written as in the file, such as ${like}, got '${text}'`);
    const plain = text.replace("\u2212", "-");
    if (!PLAIN.test(plain))
      dp.refuse(`a limit of ${name} must be a number, such as 60, got ${dp.short(text)}`);
    return dp.parsePlain(plain, `limits of ${name}`);
  }
  // A number with the signs of the file, its thousands parted.
  x.withSigns = (value, { decimal = ".", thousands }) => {
    const [whole, rest] = dp.inTable(Math.abs(value)).split("."),
      sign = thousands || (decimal === "," ? "." : ",");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, sign);
    return `${value < 0 ? "−" : ""}${grouped}${rest ? decimal + rest : ""}`;
  };

  // The answers, each a sentence that is edited in place; one that does not fit is marked.
  x.asks = (place, template, { asks }, table) => {
    const { name } = place.contains(document.activeElement) ? document.activeElement.dataset : {};
    place.replaceChildren(
      ...asks.map((ask, i) => {
        const line = template.content.cloneNode(true).firstElementChild;
        const { labels } = table.columns.find((column) => column.name === ask.column) ?? {},
          options = { column: x.offered(table, ask.query), value: labels ?? [] };
        for (const node of line.querySelectorAll("[data-of]"))
          if (!node.dataset.of.split(" ").includes(ask.query)) node.remove();
        for (const field of line.querySelectorAll("[data-label]")) {
          const { label, field: of } = field.dataset,
            value = ask[of];
          field.setAttribute("aria-label", i ? `Answer ${i + 1}: ${label}` : label);
          Object.assign(field.dataset, { ask: i, name: `${label}-${i}` });
          if (label === "remove") field.hidden = !i;
          if (of === "query") field.value = value;
          if (options[of]) x.offer(field, options[of], value, `choose a ${of}`);
        }
        return line;
      }),
    );
    if (name) place.querySelector(`[data-name="${CSS.escape(name)}"]`)?.focus();
  };
  // The limits of each column.
  x.limitFields = (place, template, question) =>
    place.replaceChildren(
      ...x.limited(question).map((name) => {
        const line = template.content.cloneNode(true).firstElementChild;
        line.querySelectorAll("input").forEach((input, i) => {
          const end = ["Lowest", "Highest"][i];
          input.previousElementSibling.textContent = `${end} ${x.fit(name, 40)}`;
          input.setAttribute("aria-label", `${end} ${name}`);
          Object.assign(input.dataset, { limit: name, end: i });
          input.value = question.limits[name]?.[i] ?? "";
        });
        return line;
      }),
    );
  // Echoes the limits of each column as they are read.
  x.echo = (place, question, how) =>
    limitsOf(question, how).forEach(({ name, pair, message = "" }, i) => {
      const echo = place.children[i].querySelector("[role=status]"),
        range = pair && rangeOf(pair, how);
      echo.className = message ? "x-wrong" : "x-echo";
      echo.textContent = range ? `Each ${name} counts as ${range}.` : x.ended(message);
    });
  const rangeOf = (pair, how) => pair.map((value) => x.withSigns(value, how)).join(" to ");

  // A step that is done, in one line.
  x.whatLine = ({ asks, by, hide, dropMissing, person, perPerson, keepRows, already }) => {
    const [first, ...more] = asks.map((ask) => x.named(dp.labelOf(ask)));
    return [
      `The ${first}${more.length ? ` and ${more.length} more` : ""}`,
      by && ` for each ${by}`,
      hide && "; the number of rows is hidden",
      dropMissing && "; without rows that miss a value",
      person && `; whose row: ${person}`,
      perPerson !== "1" && `; up to ${perPerson} rows a person`,
      keepRows && ", the first ones",
      already !== "1" && `; factor ${already} is out already`,
    ]
      .filter(Boolean)
      .join("");
  };
  // The limits, and from what they are.
  x.limitsLines = (question, how) => {
    const lines = limitsOf(question, how).map(
      ({ name, pair = [] }) => `${name}: ${rangeOf(pair, how)}`,
    );
    if (!lines.length) return ["A share and a count need none"];
    return [lines.join("; "), `Limits from: ${question.from || "not stated"}`];
  };
  // The question as the worker and the command take it.
  x.asked = (question, how) => {
    const { goal, value, before, hide, by, groups } = question,
      listed = groups.split("\n").map((label) => label.trim()),
      limits = limitsOf(question, how).map(({ name, pair }) => [name, pair]);
    return {
      ...question,
      hide: Boolean(hide),
      groups: by && hide ? listed.filter(Boolean) : [],
      limits: Object.fromEntries(limits),
      goal: { goal, value, before: goal === "risk" ? before : "" },
      codesAreValues: dp.wordsIn(how.missing).includes("none"),
    };
  };
})(window.explorer);
