// What cannot be read or answered: the sentence beside its cause, and what can be chosen so that it is after all.
((x) => {
  "use strict";
  const SIGNS = { ",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", decimal: "decimals", thousands: "thousands", cp1252: "Western European (cp1252)" };
  const WHAT = { delimiter: "divided by", encoding: "read as", comma: "its comma is for", point: "its point is for", decimal: "decimals are written with" };

  // What the sentences advise at the command line, and what is said in its place beside the buttons.
  const ADVICE = [
    [/: add --decimal , or --thousands , to say what its comma is/, ": say what its comma is for"],
    [/: if that is a decimal comma, add --decimal ,/, ": if that is a decimal comma, say so"],
    [/: name its encoding, for example --encoding \w+/, ": say in which encoding it is"],
    [/: add --delimiter '.' or another/, ": say by which"],
    [/: drop them \(--drop-missing\) or fill them in/, ": leave these rows out, or fill them in"],
  ];
  const inPage = (sentence) => ADVICE.reduce((said, [from, to]) => said.replace(from, to), sentence);

  // A number that may have been taken for a text, for want of knowing what its comma is.
  x.COMMA = { name: "comma", choices: ["decimal", "thousands"] };
  x.withComma = ({ columns }) =>
    columns.find((column) => column.asks === "comma" && /got '[-+\d.,]+' in row/.test(column.error));

  // Refuses a table of which nothing can be asked.
  x.askable = (table) => {
    if (table.rows < 2) throw new Error(`CSV file must hold at least 2 records, got ${table.rows}, in row 1`);
    const comma = x.withComma(table);
    if (comma ? x.measures(table).length : x.numeric(table).length) return;
    const first = comma ?? table.columns.find((column) => column.error);
    const names = table.columns.map((column) => column.name).join(", ");
    const why = first ? `none: ${first.error}` : `${names}, which hold nothing`;
    throw Object.assign(new Error(`CSV file must have a column of numbers, got ${why}`), { asks: comma ? x.COMMA : null });
  };

  // What a sign is for, as the file is then read.
  const MEANT = { comma: (choice) => ({ [choice]: "," }), point: () => ({ thousands: ".", decimal: "," }) };

  // A column whose numbers are all like 1.234, in a file that a comma does not divide: there a point may part thousands.
  const withPoint = ({ columns, delimiter }, how) => delimiter !== "," && !how.decimal && columns.find(({ kind, some }) =>
    kind === "number" && some.length > 1 && some.every((entry) => /^[1-9]\d{0,2}(\.\d{3})+$/.test(entry)));

  // What may be wrong with a table that can be asked, as [sentence, choices]: a column that is left out for its comma, one
  // that may be read a thousand times too small, or a first line of numbers that may be a record.
  x.doubtful = (table, how) => {
    const comma = x.withComma(table);
    if (comma) return [`${comma.error}; until then it is not among the columns below`, x.COMMA];
    const point = withPoint(table, how);
    if (point) {
      return [`column ${point.name} must hold decimals, got '${point.some[0]}' in row 1: if that is more than a thousand, say so`,
        { name: "point", choices: ["thousands"] }];
    }
    const names = table.columns.map((column) => column.name);
    if (!names.every((name) => Number.isFinite(Number(name)))) return [""];
    return [`CSV file must begin with the names of its columns, got ${names.slice(0, 3).join(", ")}, which are taken for names: ` +
      "if they are a record, write names above it"];
  };

  // Says a sentence in one place, with buttons in another; `choose` is called with what is meant.
  x.refuse = (said, buttons, sentence, asks, choose) => {
    const { name, choices = [], row } = asks ?? {};
    said.textContent = inPage(sentence) + (row ? ` in row ${row}` : "");
    buttons.hidden = !choices.length;
    buttons.replaceChildren(...choices.map((choice) => {
      const words = name === "dropMissing" ? "leave these rows out" : `${WHAT[name] ?? name} ${SIGNS[choice] ?? choice}`;
      const button = x.el("button", { type: "button" }, words);
      button.addEventListener("click", () => choose(MEANT[name]?.(choice) ?? { [name]: choice }));
      return button;
    }));
  };
})(window.explorer);
