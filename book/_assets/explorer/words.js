// What follows from a risk, in words and tables: the status, the noise of each answer, the readers, the sentences.
((x) => {
  "use strict";
  const STATUS = {
    ok: ["The risk is kept", "good"],
    exact: ["Exact: the risk is kept without noise", "good"],
    "nothing left": ["Nothing more can be published", "bad"],
    "cannot be met": ["This risk cannot be met", "bad"],
  };
  const WHO = {
    world: "suspects nobody: who is missing",
    torn: "is torn between two: which of them is missing",
  };
  const NAMES = ["answer", "noise scale", "95% error", "which is", "ε"];
  const MOST = 20; // rows that are shown

  // How large an error is beside the answer, rounded up as all errors are.
  x.beside = (share) => {
    if (!Number.isFinite(share)) return "";
    const digits = (value) => {
      const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
      return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
    };
    if (share === 0) return "exact";
    return share > 1 ? `${digits(share)} times the answer itself` : `${digits(100 * share)}% of the answer`;
  };

  x.status = (found) => STATUS[found.status][0];

  // The name of a statistic as it is read: mean:visits, mean of visits.
  x.named = (statistic) => statistic.replace(":", " of ");

  // The status beside the risk, and why where there is something to say.
  x.told = (part, found) => {
    const [words, kind] = STATUS[found.status];
    part("status").textContent = words;
    part("status").className = `x-status ${kind}`;
    part("heading").textContent = kind === "good" ? "The sentences that may be signed" : "Why this is not to be signed, and what it would mean";
    const { reason } = found;
    part("reason").textContent = reason && `${reason[0].toUpperCase()}${reason.slice(1)}.`;
  };

  // A row for each answer: its noise, its error, and epsilon where its sensitivity is known.
  x.noise = (table, found) => {
    const rows = found.table.slice(0, MOST).map((row, place) => {
      const shown = found.shown.table[place];
      const [scale, error] = row.noiseScale === 0 ? ["none", "0"] : [shown.noiseScale || "not met", shown.halfWidth || "not met"];
      const cells = [scale, error, x.beside(row.relativeHalfWidth), shown.epsilon || "not known"];
      return x.el("tr", {}, x.el("th", { scope: "row" }, x.named(row.statistic)),
        ...cells.map((cell, i) => x.el("td", { "data-name": NAMES[i + 1] }, cell)));
    });
    const more = found.table.length - rows.length;
    if (more > 0) rows.push(x.el("tr", {}, x.el("td", { colspan: 5 }, `and ${x.count(more)} more: the command below names them all`)));
    if (found.table.length > 1) {
      rows.push(x.el("tr", { class: "x-total" }, x.el("th", { scope: "row", colspan: 4 }, "ε of all together"),
        x.el("td", {}, found.shown.epsilon || "not known")));
    }
    table.replaceChildren(table.caption, x.el("thead", {}, x.el("tr", {}, ...NAMES.map((name) => x.el("th", { scope: "col" }, name)))),
      x.el("tbody", {}, ...rows));
  };

  // A bar for each reader; the one to whom the promise is made comes first.
  x.bars = (table, found) => {
    const { chance } = window.dpchoose, before = { world: 1 / found.facts.records, torn: 1 / 2 };
    const rows = Object.keys(WHO).map((name) => {
      const risk = found.risks[name], known = Number.isFinite(risk), kind = name === "world" ? "x-promised" : "";
      const bar = x.el("span", { class: "x-bar" });
      bar.style.width = `${100 * risk}%`;
      bar.hidden = !known;
      return x.el("tr", { class: kind, role: "row" }, x.el("th", { scope: "row", role: "rowheader" }, WHO[name]),
        x.el("td", { class: "x-value", role: "cell" }, `${chance(before[name])} → ${known ? chance(risk) : "not known"}`),
        x.el("td", { class: "x-room", role: "cell" }, bar));
    });
    table.setAttribute("role", "table"); // on a phone its rows are grids, and no table to a reader of the screen
    const head = x.el("tr", { role: "row" }, ...["a reader who", "before → after, at most"].map((name) =>
      x.el("th", { scope: "col", role: "columnheader" }, name)), x.el("td", { role: "cell" }));
    table.replaceChildren(table.caption, x.el("thead", {}, head), x.el("tbody", {}, ...rows));
  };

  x.sentences = (list, found) => list.replaceChildren(...found.sentences.map((sentence) => x.el("li", {}, sentence)));
})(window.explorer);
