// The card of a file: what was read, every doubt about it with its buttons, and how it is read.
((x) => {
  "use strict";
  const WIDE = 12; // columns that are shown

  // Every doubt about a table: { message, choices }.
  x.doubts = ({ columns, delimiter, rows }, how) => {
    const doubts = [],
      doubt = (message, choices = []) => doubts.push({ message, choices }),
      names = columns.map(({ name }) => name);
    if (rows < 2) doubt("The file must hold at least 2 records, got 1");
    if (!columns.some((column) => x.fits(column, "mean"))) {
      const isAnswered = columns.some((column) => x.fits(column, "share"));
      doubt(
        `No column holds numbers${isAnswered ? ", but the share of a label can be asked for" : ""}`,
      );
    }
    if (!how.names && names.every((name) => Number.isFinite(Number(name))))
      doubt(
        `The first line holds ${names.slice(0, 3).join(", ")}, which are taken for names: if they ` +
          "are a record, write names above it",
        [{ words: "they are names", names: "1" }],
      );
    for (const { name, kind, meanings, firstBad, labels, error, bad, missing } of columns) {
      const isFew = bad < (rows - missing) / 2 || /: /.test(error);
      if (kind === "number" && meanings.length && delimiter !== ",")
        doubt(`${name} holds ${labels[0]}: what is its point for?`, meanings);
      else if (kind === "text" && meanings.length)
        doubt(`${name} holds ${firstBad.text}: what are its signs for?`, meanings);
      else if (error && (isFew || firstBad.rule !== "numbers")) doubt(x.capital(error));
    }
    return doubts;
  };

  const kindOf = ({ kind, labels, missing, firstBad }) => {
    const text = labels ? `${labels.length} different` : `as ${x.fit(firstBad?.text ?? "", 20)}`,
      words = { number: "numbers", truth: "true or false", empty: "empty" }[kind];
    return (
      (words ?? `text, ${text}`) + (missing && words !== "empty" ? `, ${missing} missing` : "")
    );
  };

  // The card; `choose` is called with what is meant.
  x.card = (part, { table, how }, doubts, choose) => {
    const { rows, columns, head, delimiter, encoding } = table,
      shown = columns.slice(0, WIDE),
      many = columns.length === 1 ? "1 column" : `${columns.length} columns`,
      more = columns.length > WIDE ? `, of which ${WIDE} are shown` : "";
    const items = doubts.map(({ message, choices }) => {
      const line = x.el("span", {}, x.ended(message)),
        buttons = x.choices(choices, choose);
      return x.el("li", {}, line, x.el("span", { class: "x-asks" }, ...buttons));
    });
    part("doubts").replaceChildren(
      ...(items.length ? [x.el("ul", { class: "x-doubts" }, ...items)] : []),
    );
    part("counts").textContent =
      `${window.dpchoose.grouped(rows)} rows, ${many}${more}. The first rows:`;
    const line = (texts, tag = "td", attributes = {}) =>
        x.el("tr", {}, ...texts.map((text) => x.el(tag, attributes, x.fit(text, 40)))),
      names = shown.map(({ name }) => name);
    part("names").replaceChildren(line(names, "th", { scope: "col" }));
    part("head").replaceChildren(
      line(shown.map(kindOf), "td", { class: "x-kind" }),
      ...head.map((fields) => line(fields.slice(0, WIDE))),
    );
    const code = encoding.slice(0, 6).replace("window", "cp1252"),
      read = { thousands: "", decimal: ".", missing: "", ...how, delimiter, encoding: code };
    for (const field of part("signs").querySelectorAll("[name]")) field.value = read[field.name];
  };
})(window.explorer);
