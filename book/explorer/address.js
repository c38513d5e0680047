// The command that gives the same, the question as an address, and back.
((x) => {
  "use strict";
  const dp = window.dpchoose;
  const SIGNS = ["delimiter", "decimal", "thousands", "encoding", "missing"];
  const QUERIES = ["mean", "sum", "share", "count"];
  // A word for a POSIX shell.
  const quote = (word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;

  // The command that answers a question, as the worker takes it, of a file as it was read.
  x.command = ({ name, how, table }, question) => {
    const { asks, who, limits, hide, by, groups, already, goal, dropMissing } = question,
      { person, perPerson, keepRows } = question,
      limited = Object.entries(limits),
      encoding = table.encoding.startsWith("utf-16") ? "utf-16" : how.encoding;
    const options = [
      ...asks.map((ask) => ["--ask", dp.labelOf(ask)]),
      ...limited.map(([column, pair]) => ["--limits", `${column}=${pair.join(":")}`]),
      [who === "known" ? "--all-but-one" : !limited.length && "--everybody"],
      [hide && "--hide-n"],
      ["--by", by],
      ...groups.map((group) => ["--group", group]),
      ["--already", already !== "1" && already],
      ["--person", person],
      ["--rows-per-person", perPerson !== "1" && perPerson],
      [keepRows && "--keep-rows"],
      [`--${goal.goal}`, goal.value],
      ["--before", goal.before],
      [dropMissing && "--drop-missing"],
      ["--delimiter", how.delimiter],
      ["--decimal", how.decimal !== "." && how.decimal],
      ["--thousands", how.thousands],
      ["--encoding", encoding],
      ...dp.wordsIn(how.missing).map((word) => ["--missing", word]),
    ].filter((words) => words.every(Boolean));
    const file = name.startsWith("-") ? `./${name}` : name,
      apart = ([flag, value]) => (value.startsWith("-") ? [`${flag}=${value}`] : [flag, value]);
    const words = options.flatMap((option) => (option.length > 1 ? apart(option) : option));
    return ["dpchoose", "epsilon", file, ...words].map(quote).join(" ");
  };
  // The command that answers where somebody is missing from the number.
  x.elsewhere = (file, { asks: [first] }) => {
    const isWhole = first.column && (first.query !== "share" || first.value),
      asks = [isWhole ? first : { query: "mean", column: "COLUMN" }];
    const question = x.asked({ ...x.blank(), asks }, file.how);
    return x.command(file, { ...question, who: "known", limits: {} });
  };

  // The question without anything of the file, for an address: all of it, and the signs with which
  // a file is to be read.
  x.toAddress = ({ asks, limits, ...question }, how) => {
    const texts = Object.entries(question).filter(([name, text]) => text !== x.BLANK[name]),
      signs = SIGNS.map((name) => [name, how[name]]).filter(([, sign]) => sign),
      asked = asks.map((ask) => ["ask", dp.labelOf({ ...ask, column: escaped(ask) })]),
      limited = Object.entries(limits).map(([name, pair]) => [
        "limits",
        `${name}=${pair.join(":")}`,
      ]);
    return new URLSearchParams([...texts, ...asked, ...limited, ...signs]).toString();
  };
  // The column of a share, in which no = is left: at the first one its value begins.
  const escaped = ({ query, column }) =>
    query === "share" ? column.replace(/[%=]/g, encodeURIComponent) : column;
  function askOf(text) {
    const [, query, rest] = /^([^:]*):?(.*)$/s.exec(text),
      end = query === "share" && rest.includes("=") ? rest.indexOf("=") : rest.length,
      column = rest.slice(0, end);
    const plain = query === "share" ? column.replace(/%3D|%25/g, decodeURIComponent) : column;
    return { query, column: plain, value: rest.slice(end + 1) };
  }
  x.fromAddress = (hash) => {
    const words = new URLSearchParams(hash.replace(/^#/, "")),
      question = x.blank(),
      how = {};
    if (!words.has("ask") && !words.has("who")) return null;
    for (const name of Object.keys(x.BLANK)) question[name] = words.get(name) ?? question[name];
    for (const name of SIGNS) if (words.has(name)) how[name] = words.get(name);
    const asks = words
      .getAll("ask")
      .map(askOf)
      .filter(({ query }) => QUERIES.includes(query));
    if (asks.length) question.asks = asks.slice(0, 20);
    for (const text of words.getAll("limits")) {
      const [, name, ...pair] = /^(.*)=([^=:]*):([^=:]*)$/s.exec(text) ?? [];
      if (name) question.limits[name] = pair;
    }
    if (question.who !== "everybody") question.who = "";
    if (question.person || question.perPerson !== "1") question.whose = "several";
    if (!["odds", "risk", "error"].includes(question.goal)) question.goal = "odds";
    return { question, how };
  };
})(window.explorer);
