// The card of a file: what was read, every doubt about it with its buttons, and what cannot be read
// or answered.
((x) => {
  "use strict";
  const WIDE = 12; // columns that are shown
  const WORDS = {
    delimiter: (sign) =>
      `it is divided by ${{ ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" }[sign]}`,
    encoding: (code) => (code === "cp1252" ? "it is Western European (cp1252)" : `it is ${code}`),
    decimal: () => "its comma is for decimals",
    hide: () => "hide the number of rows",
    dropMissing: () => "leave these rows out",
  };

  // Says a sentence in one place, with buttons in another: `choose` is called with what is meant.
  x.refuse = (place, buttons, sentence, asks, choose) => {
    const { name, choices = [] } = asks ?? {};
    place.textContent = sentence && `${sentence}${/[.?]$/.test(sentence) ? "" : "."}`;
    buttons.hidden = !choices.length;
    buttons.replaceChildren(
      ...choices.map((choice) =>
        x.button(WORDS[name]?.(choice) ?? `${name} ${choice}`, () => choose({ [name]: choice })),
      ),
    );
  };

  // Every doubt about a table: { sentence, choices: [{ words, how }] }.
  x.doubts = ({ columns, delimiter, rows }, how) => {
    const doubts = [],
      doubt = (sentence, choices = []) => doubts.push({ sentence, choices });
    if (rows < 2) doubt("The file must hold at least 2 records, got 1");
    if (!columns.some(({ kind }) => kind === "number" || kind === "truth"))
      doubt(
        columns.some(({ labels, kind }) => labels && kind !== "empty")
          ? "No column holds numbers, but the share of a label can be asked for"
          : "No column holds numbers",
      );
    if (!how.names && columns.every(({ name }) => name !== "" && Number.isFinite(Number(name))))
      doubt(
        `The first line holds ${columns
          .slice(0, 3)
          .map(({ name }) => name)
          .join(", ")}, which are ` + "taken for names: if they are a record, write names above it",
        [{ words: "they are names", how: { names: true } }],
      );
    for (const { name, kind, meanings, firstBad, labels, error, bad, missing } of columns) {
      if (kind === "number" && meanings.length && delimiter !== ",")
        doubt(`${name} holds ${labels[0]}: is its point for decimals, or for thousands?`, meanings);
      else if (meanings.length)
        doubt(
          `${name} is not read as numbers, because of ${firstBad.text} in row ${firstBad.row}`,
          meanings,
        );
      else if (
        error &&
        (bad < (rows - missing) / 2 || /: /.test(error) || firstBad.rule !== "numbers")
      )
        doubt(error[0].toUpperCase() + error.slice(1));
    }
    return doubts;
  };

  const kindOf = ({ kind, labels, missing, firstBad }) => {
    const words = { number: "numbers", truth: "true or false", empty: "empty" }[kind],
      text = labels
        ? `text, ${labels.length} different`
        : `text, as ${x.fit(firstBad?.text ?? "", 20)}`;
    return (words ?? text) + (missing && kind !== "empty" ? `, ${missing} missing` : "");
  };

  // The card; `choose` is called with what is meant.
  x.card = (place, { table, how }, doubts, choose) => {
    const { rows, columns, head } = table,
      shown = columns.slice(0, WIDE),
      places = shown.map((column) => columns.indexOf(column));
    const cells = (tag, texts, more = {}) =>
      x.el("tr", {}, ...texts.map((text) => x.el(tag, more, text)));
    const more = columns.length > WIDE ? `, of which ${WIDE} are shown` : "";
    const items = doubts.map(({ sentence, choices }) =>
      x.el(
        "li",
        {},
        x.el("span", {}, `${sentence}${/[.?]$/.test(sentence) ? "" : "."}`),
        x.el(
          "span",
          { class: "x-asks" },
          ...choices.map(({ words, ...meant }) => x.button(words, () => choose(meant))),
        ),
      ),
    );
    const many = columns.length === 1 ? "1 column" : `${columns.length} columns`;
    x.put(place, [
      ...(items.length
        ? [x.el("div", { role: "alert" }, x.el("ul", { class: "x-doubts" }, ...items))]
        : []),
      x.el("p", {}, `${window.dpchoose.grouped(rows)} rows, ${many}${more}. The first rows:`),
      x.el(
        "div",
        { class: "x-scroll", tabindex: "0", role: "region", "aria-label": "The first rows" },
        x.el(
          "table",
          {},
          x.el(
            "thead",
            {},
            cells(
              "th",
              shown.map(({ name }) => x.fit(name, 40)),
              { scope: "col" },
            ),
          ),
          x.el(
            "tbody",
            {},
            cells("td", shown.map(kindOf), { class: "x-kind" }),
            ...head.map((fields) =>
              cells(
                "td",
                places.map((i) => x.fit(fields[i] ?? "", 24)),
              ),
            ),
          ),
        ),
      ),
      x.el(
        "details",
        {},
        x.el("summary", {}, "How the file is read"),
        x.signs(table, how, (meant) => choose({ how: meant })),
      ),
    ]);
  };
})(window.explorer);
