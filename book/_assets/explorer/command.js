// The command that gives the same, the question as an address, and back.
((x) => {
  "use strict";
  const label = (one) => window.dpchoose.labelOf(one);

  // A word for a POSIX shell.
  const quote = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

  // What follows the goal: its option, and its words.
  const goalOf = ({ goal, value, before }) => [`--${goal}`, String(value), ...(before ? ["--before", before] : [])];

  x.command = ({ name, how, table, question }) => {
    const words = ["dpchoose", "epsilon", name.startsWith("-") ? `./${name}` : name], every = question.situation === "everybody", option = (flag, value) => value && words.push(`${flag}=${value}`);
    for (const one of question.asks) words.push("--ask", label(one));
    words.push(...(every ? ["--everybody"] : ["--all-but-one"]));
    if (every) {
      for (const [column, pair] of Object.entries(question.limits)) words.push("--limits", `${column}=${window.dpchoose.parseLimits(column, pair).join(":")}`);
      if (question.hide) words.push("--hide-n");
      option("--by", question.by);
      if (question.hide && question.by) for (const group of question.groups) option("--group", group);
      for (const one of question.already) words.push("--already", `${label(one)}:${one.scale}`);
    }
    words.push(...goalOf(question.goal));
    option("--person", question.person);
    if (question.dropMissing) words.push("--drop-missing");
    for (const sign of ["delimiter", "decimal", "thousands"]) option(`--${sign}`, how[sign]);
    option("--encoding", table.encoding.startsWith("utf-16") ? "utf-16" : how.encoding);
    for (const word of how.missing ?? []) option("--missing", word);
    return words.map(quote).join(" ");
  };

  // The question without anything of the file, for an address; and what such an address asks.
  x.toAddress = (question) => {
    const words = new URLSearchParams(), put = (name, value) => value && words.append(name, value);
    put("who", question.situation);
    question.asks.filter((one) => one.column || one.query === "count").forEach((one) => words.append("ask", label(one.query === "percentile" ? { ...one, query: `percentile_${one.rank}` } : one)));
    for (const [column, [low, high]] of Object.entries(question.limits)) if (low && high) words.append("limits", `${column}=${low}:${high}`);
    for (const name of ["by", "person"]) put(name, question[name]);
    put("hide", question.hide && "n");
    question.groups.forEach((group) => put("group", group));
    for (const name of ["goal", "value", "before"]) put(name, question.goal[name]);
    return words.toString();
  };
  x.fromAddress = (hash) => {
    const words = new URLSearchParams(hash.replace(/^#/, "")), question = x.blank(), known = ["everybody", "known"];
    if (!words.has("ask") && !words.has("who")) return null;
    const asks = words.getAll("ask").slice(0, 20).map((text) => {
      const [, query, column = ""] = /^([^:]*)(?::(.*))?$/s.exec(text), rank = /^percentile_(.*)$/.exec(query)?.[1];
      if (query === "share") return { query, column: column.split("=")[0], value: column.split("=").slice(1).join("=") };
      return rank === undefined ? { query, column } : { query: "percentile", rank, column };
    }).filter(({ query }) => ["mean", "sum", "share", "count", "median", "percentile"].includes(query));
    if (asks.length) question.asks = asks;
    for (const text of words.getAll("limits")) {
      const found = /^(.*)=([^=:]*):([^=:]*)$/s.exec(text);
      if (found) question.limits[found[1]] = [found[2], found[3]];
    }
    const goal = ["odds", "risk", "error"].find((name) => name === words.get("goal"));
    if (goal) question.goal = { goal, value: words.get("value") ?? "", ...(words.get("before") ? { before: words.get("before") } : {}) };
    return Object.assign(question, { situation: known.find((one) => one === words.get("who")) ?? "", by: words.get("by") ?? "", person: words.get("person") ?? "", hide: words.has("hide"), groups: words.getAll("group") });
  };
})(window.explorer);
