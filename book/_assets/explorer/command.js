// The command and the notebook that give the same. Every name is quoted, whatever stands in it.
((x) => {
  "use strict";

  // A word for a POSIX shell, as Python's shlex.quote writes it.
  x.quote = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

  // A text as Python writes it.
  const literal = (text) => JSON.stringify(text).replace(/[\u007f-\u{10ffff}]/gu, (sign) =>
    (sign.codePointAt(0) > 0xffff ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`));

  const path = (name) => (name.startsWith("-") ? `./${name}` : name);

  // `asked` is what the worker prepared, `how` the file was read with which `delimiter`, `make` the line of Python that writes one of
  // the book's own files.
  x.commands = ({ name, how, delimiter, asked, risk, make }) => {
    const file = path(name), words = ["dpchoose", "epsilon", file];
    const option = (flag, value) => value && words.push(`${flag}=${value}`);
    for (const [query, column] of asked.asked) words.push("--ask", column === undefined ? query : `${query}:${column}`);
    words.push("--all-but-one", "--risk", risk);
    for (const [query, column, scale] of asked.already) words.push("--already", [query, ...(column === null ? [] : [column]), scale].join(":"));
    option("--by", asked.by);
    option("--person", asked.person);
    if (asked.dropMissing) words.push("--drop-missing");
    for (const sign of ["delimiter", "decimal", "thousands", "encoding"]) option(`--${sign}`, how[sign]);
    const lines = make ? [`python -c ${x.quote(make)}`] : [];
    lines.push(words.map(x.quote).join(" "), "", ...inPython({ file, how, delimiter, asked, risk }));
    return lines.join("\n");
  };

  function inPython({ file, how, delimiter, asked, risk }) {
    const pair = ([query, column]) => (column ?? null) === null ? literal(query) : `(${literal(query)}, ${literal(column)})`;
    const pairs = asked.asked.map(pair), out = asked.already.map((one) => `(${pair(one)}, ${one[2]})`);
    const reading = [literal(file)];
    if (delimiter !== ",") reading.push(`sep=${literal(delimiter)}`);
    for (const sign of ["decimal", "thousands", "encoding"]) if (how[sign]) reading.push(`${sign}=${literal(how[sign])}`);
    const columns = [...new Set([...[...asked.asked, ...asked.already].flatMap(([, column]) => column ?? []), ...[asked.by ?? []].flat()])];
    const drop = asked.dropMissing ? `.dropna(subset=[${columns.map(literal).join(", ")}])` : "";
    const more = [`risk=${literal(risk)}`];
    if (out.length) more.push(`already=[${out.join(", ")}]`);
    if (asked.by) more.push(`by=${literal(asked.by)}`);
    return [
      "# in a notebook",
      "import dpchoose as dp, pandas as pd",
      `data = pd.read_csv(${reading.join(", ")})${drop}`,
      `dp.recommend([${pairs.join(", ")}], data, len(data) - 1, ${more.join(", ")})`,
    ];
  }
})(window.explorer);
