// A file that cannot be asked: the sentence beside the field, and what can be chosen so that it is read after all.
((x) => {
  "use strict";
  const SIGNS = { ",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", decimal: "decimals" };
  const WHAT = { delimiter: "divided by", encoding: "read as", comma: "its comma is for" };

  // A number that may have been taken for a text, for want of knowing what its comma is.
  x.COMMA = { name: "comma", choices: ["decimal", "thousands"] };
  x.withComma = ({ columns }) =>
    columns.find((column) => column.asks === "comma" && /got '[-+\d.,]+' in row/.test(column.error));

  // Why no column of a table can be asked.
  x.nothing = (table) => {
    const comma = x.withComma(table), first = comma ?? table.columns.find((column) => column.error);
    const names = table.columns.map((column) => column.name).join(", ");
    const why = first ? `none: ${first.error}` : `${names}, which hold nothing`;
    const error = new Error(`CSV file must have a column of numbers, got ${why}`);
    return Object.assign(error, { asks: comma ? x.COMMA : null });
  };

  // `again` reads the file with what was chosen.
  x.wrong = (part, sentence, asks, again) => {
    const { name, choices = [] } = asks ?? {};
    part("wrong").textContent = sentence;
    part("choices").hidden = !choices.length;
    part("choices").replaceChildren(...choices.map((choice) => {
      const button = x.el("button", { type: "button" }, `${WHAT[name] ?? name} ${SIGNS[choice] ?? choice}`);
      button.addEventListener("click", () => again(name === "comma" ? { [choice]: "," } : { [name]: choice }));
      return button;
    }));
  };
})(window.explorer);
