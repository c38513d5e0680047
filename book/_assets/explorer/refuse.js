// What cannot be read or answered: the sentence in view, and what can be chosen so that it is after all.
((x) => {
  "use strict";
  const SIGNS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", decimal: "decimals", thousands: "thousands", cp1252: "Western European (cp1252)" };
  const WHAT = { delimiter: "it is divided by", encoding: "it is", comma: "its comma is for", point: "its point is for" };
  const MEANT = { comma: (choice) => (choice === "decimal" ? { decimal: ",", thousands: undefined } : { thousands: ",", decimal: undefined }), point: () => ({ thousands: ".", decimal: "," }) };

  // Says a sentence in one place, with buttons in another; `choose` is called with what is meant.
  x.refuse = (said, buttons, sentence, asks, choose) => {
    const { name, choices = [] } = asks ?? {};
    said.textContent = sentence && `${sentence}${sentence.endsWith("?") ? "" : "."}`;
    buttons.hidden = !choices.length;
    buttons.replaceChildren(...choices.map((choice) => {
      const words = { dropMissing: "leave these rows out", hide: "hide the number of rows", thousands: `it is for thousands`, missing: `${choice} is a missing value: leave its rows out` }[name] ?? `${WHAT[name] ?? name} ${SIGNS[choice] ?? choice}`;
      return x.button(words, () => choose(MEANT[name]?.(choice) ?? { [name]: choice }));
    }));
  };

  // What may be wrong with a table that was read, as [sentence, choices]: no numbers, a column that may be read a thousand
  // times too small, or a first line of numbers that may be a record.
  x.doubtful = ({ columns, delimiter, rows }, how, name) => {
    const numbers = columns.filter(({ kind }) => kind === "number" || kind === "truth"), texts = columns.filter(({ error }) => error);
    const comma = texts.find((column) => column.comma);
    if (rows < 2) return [`${name} must hold at least 2 records, got ${rows}`];
    if (comma) return [comma.error, { name: "comma", choices: ["decimal", "thousands"] }];
    const nearest = texts.sort((a, b) => a.bad - b.bad)[0], odd = texts.find(({ error }) => /: (take|write|is its (space|'))/.test(error));
    if (odd) return [odd.error, { name: "thousands", choices: [/space|' for/.exec(odd.error)].filter(Boolean).map(([sign]) => (sign === "space" ? " " : "'")) }];
    if (!numbers.length) return [`${nearest?.error ?? `${name} must have a column that is not empty`}${columns.some(({ labels }) => labels) ? ": no column does, but the share of a label can be asked for" : ""}`];
    const point = delimiter !== "," && !how.decimal && numbers.find(({ labels }) => labels?.length > 1 && labels.every((text) => /^[1-9]\d{0,2}(\.\d{3})+$/.test(text)));
    if (point) return [`column ${point.name} holds decimals such as ${point.labels[0]}: if that is more than a thousand, say so`, { name: "point", choices: ["thousands"] }];
    if (columns.every((column) => column.name !== "" && Number.isFinite(Number(column.name)))) return [`The first line holds ${columns.slice(0, 3).map((one) => one.name).join(", ")}, which are taken for names: if they are a record, write names above it`];
    return [""];
  };
})(window.explorer);
