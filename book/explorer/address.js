// The command that gives the same, the question as an address, and back.
((x) => {
  "use strict";
  const dp = window.dpchoose;

  // A word for a POSIX shell.
  const quote = (word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
  // What follows the goal: its option, and its words.
  const goalOf = ({ goal, value, before }) => [
    `--${goal}`,
    String(value),
    ...(before ? ["--before", before] : []),
  ];

  x.command = ({ name, how, table, question }) => {
    const { asks, situation, limits, already, perPerson } = question,
      words = ["dpchoose", "epsilon", name.startsWith("-") ? `./${name}` : name],
      option = (flag, value) => value && words.push(`${flag}=${value}`);
    for (const ask of asks) words.push("--ask", dp.labelOf(ask));
    const limited = situation === "everybody" ? x.limited(question) : [];
    for (const column of limited) words.push("--limits", `${column}=${limits[column].join(":")}`);
    if (situation === "known") words.push("--all-but-one");
    else if (!limited.length) words.push("--everybody");
    if (question.hide) words.push("--hide-n");
    option("--by", question.by);
    if (question.hide && question.by) for (const group of question.groups) option("--group", group);
    if (already !== "1") words.push("--already", already);
    if (perPerson !== "1") words.push("--rows", perPerson);
    words.push(...goalOf(question.goal));
    option("--person", question.person);
    if (question.dropMissing) words.push("--drop-missing");
    option("--delimiter", how.delimiter);
    option("--decimal", how.decimal === "." ? "" : how.decimal);
    option("--thousands", how.thousands);
    option("--encoding", table.encoding.startsWith("utf-16") ? "utf-16" : how.encoding);
    for (const word of how.missing ?? []) option("--missing", word);
    return words.map(quote).join(" ");
  };

  // The command that answers where somebody is missing from the number, of a file as it was read.
  x.elsewhere = ({ name, how, table }, { asks: [first] }) => {
    const whole = first.column && (first.query !== "share" || first.value),
      ask = whole ? first : { query: "mean", column: "COLUMN" };
    return x.command({
      name,
      how,
      table,
      question: { ...x.blank(), situation: "known", asks: [ask] },
    });
  };

  // The question without anything of the file, for an address: all of it, and the signs with which
  // a file is to be read.
  const TEXTS = ["from", "by", "person"];
  const NUMBERS = ["already", "perPerson"];
  const SIGNS = ["delimiter", "decimal", "thousands", "encoding"];
  x.toAddress = (question, how) => {
    const words = new URLSearchParams(),
      put = (name, value) => value && words.append(name, value);
    put("who", question.situation);
    for (const ask of question.asks)
      if (ask.column || ask.query === "count") put("ask", dp.labelOf(ask));
    for (const [column, [low, high]] of Object.entries(question.limits))
      if (low && high) put("limits", `${column}=${low}:${high}`);
    for (const name of TEXTS) put(name, question[name]);
    for (const name of NUMBERS) put(name, question[name] !== "1" && question[name]);
    put("hide", question.hide && "n");
    put("missing-rows", question.dropMissing && "drop");
    question.groups.forEach((group) => put("group", group));
    for (const name of ["goal", "value", "before"]) put(name, question.goal[name]);
    for (const name of SIGNS) put(name, how[name]);
    (how.missing ?? []).forEach((word) => put("missing", word));
    return words.toString();
  };
  x.fromAddress = (hash) => {
    const words = new URLSearchParams(hash.replace(/^#/, "")),
      question = x.blank();
    if (!words.has("ask") && !words.has("who")) return null;
    const asks = words
      .getAll("ask")
      .slice(0, 20)
      .map((text) => {
        const [, query, rest = ""] = /^([^:]*)(?::(.*))?$/s.exec(text),
          [column, ...value] = query === "share" ? rest.split("=") : [rest];
        return query === "share" ? { query, column, value: value.join("=") } : { query, column };
      })
      .filter(({ query }) => ["mean", "sum", "share", "count"].includes(query));
    if (asks.length) question.asks = asks;
    for (const text of words.getAll("limits")) {
      const limits = /^(.*)=([^=:]*):([^=:]*)$/s.exec(text);
      if (limits) question.limits[limits[1]] = [limits[2], limits[3]];
    }
    const goal = ["odds", "risk", "error"].find((name) => name === words.get("goal")),
      before = words.get("before");
    if (goal && (goal !== "risk" || before))
      question.goal = { goal, value: words.get("value") ?? "", ...(before ? { before } : {}) };
    for (const name of TEXTS) question[name] = words.get(name) ?? "";
    for (const name of NUMBERS) question[name] = words.get(name) ?? "1";
    question.situation = words.get("who") === "everybody" ? "everybody" : "";
    question.hide = words.has("hide");
    question.dropMissing = words.has("missing-rows");
    question.groups = words.getAll("group");
    const how = Object.fromEntries(SIGNS.map((name) => [name, words.get(name) ?? undefined]));
    if (words.has("missing")) how.missing = words.getAll("missing");
    return { question, how };
  };
})(window.explorer);
