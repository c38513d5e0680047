// What could be accepted: the error against the factor, both by ratios, with the chosen one marked.
((x) => {
  "use strict";
  const HEIGHT = 250, LEFT = 62, RIGHT = 18, TOP = 30, FLOOR = 206;

  // Whose error is shown, the largest, and it in each row: for whoever holds the file that of a mean.
  function largest({ private: { derived }, answers, choices }) {
    const [every, name] = derived.length ? [derived, "planned"] : [answers, "errors"], first = (choices[0]?.[name] ?? []).map((error) => error || 0);
    const place = first.indexOf(Math.max(...first));
    return { statistic: every[Math.max(place, 0)].statistic, more: every.length > 1, rows: choices.map((row) => ({ ...row, error: row[name][place] })) };
  }

  x.choices = (parent, told, choose) => {
    const { statistic, ...found } = largest(told), rows = found.rows
      .filter((row) => row.error > 0 && Number.isFinite(row.factor));
    if (rows.length < 2) return parent.replaceChildren();
    const width = Math.max(280, Math.min(parent.clientWidth || 320, 720)), errors = rows.map((row) => row.error);
    const [least, most] = [Math.log(Math.min(...errors) / 1.4), Math.log(Math.max(...errors) * 1.4)], last = Math.log(Math.max(100, rows.at(-1).factor) * 1.15);
    const first = Math.min(Math.log(1.4), Math.log(rows[0].factor) * 0.9);
    const across = (factor) => LEFT + ((Math.log(factor) - first) / (last - first)) * (width - LEFT - RIGHT);
    const up = (error) => FLOOR - ((Math.log(error) - least) / (most - least)) * (FLOOR - TOP);
    const nodes = [x.svg("text", { x: 0, y: 14 }, x.fit(`95% error of the ${x.named(statistic)}`, Math.floor(width / 8)))];
    for (const factor of [1.5, 2, 3, 5, 10, 30, 100]) {
      nodes.push(x.svg("line", { class: "x-grid", x1: across(factor), x2: across(factor), y1: TOP, y2: FLOOR }));
      if (factor !== 2 || across(2) - across(1.5) > 28) nodes.push(x.svg("text", { x: across(factor), y: FLOOR + 18, "text-anchor": "middle" }, factor));
    }
    const exponent = Math.floor(least / Math.LN10), marks = Array.from({ length: 24 }, (_, i) => [1, 2, 5][i % 3] * 10 ** (exponent + Math.floor(i / 3)));
    const shown = marks.filter((mark) => Math.log(mark) > least && Math.log(mark) < most), every = Math.ceil(shown.length / 6);
    shown.filter((_, i) => i % every === 0).forEach((mark) => {
      nodes.push(x.svg("line", { class: "x-grid", x1: LEFT, x2: width - RIGHT, y1: up(mark), y2: up(mark) }));
      nodes.push(x.svg("text", { x: LEFT - 8, y: up(mark) + 5, "text-anchor": "end" }, x.three(mark)));
    });
    nodes.push(x.svg("line", { class: "x-axis", x1: LEFT, x2: width - RIGHT, y1: FLOOR, y2: FLOOR }));
    nodes.push(x.svg("text", { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "factor by which odds may grow"));
    nodes.push(x.svg("polyline", { class: "x-curve", points: rows.map((row) => `${across(row.factor).toFixed(1)},${up(row.error).toFixed(1)}`).join(" ") }));
    for (const row of rows) {
      const dot = x.svg("circle", { class: row.chosen ? "x-chosen" : "x-choice", cx: across(row.factor), cy: up(row.error), r: row.chosen ? 8 : 5 });
      if (!row.chosen && choose) dot.addEventListener("click", () => choose(row.factor));
      nodes.push(dot);
      if (row.chosen) nodes.push(x.svg("text", { class: "x-value", x: width - RIGHT, y: TOP + 16, "text-anchor": "end" }, `● factor ${window.dpchoose.factor(row.factor)}: ± ${x.three(row.error)}`)); // where the curve never is
    }
    const chosen = rows.find((row) => row.chosen), said = chosen ? `; chosen: factor ${window.dpchoose.factor(chosen.factor)}, error ${x.three(chosen.error)}` : "";
    parent.replaceChildren(x.el("p", { class: "x-caption" }, "What you could accept"), x.svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
      "aria-label": `The 95% error falls as the factor grows: ${x.three(errors[0])} at factor ${rows[0].factor}, ${x.three(errors.at(-1))} at ${window.dpchoose.factor(rows.at(-1).factor)}${said}.` }, ...nodes));
  };

  // The same as a table.
  x.numbers = (table, told) => {
    const known = told.choices[0]?.nobody != null, dp = window.dpchoose, planned = told.private.derived.length, { statistic, more, rows } = largest(told);
    const head = ["factor", "95% error", "1% →", "10% →", "50% →", ...(known ? ["suspects nobody →"] : [])];
    const shown = ({ error }) => (!planned ? dp.roundUp(error) : Number.isFinite(error) ? `about ${dp.written(error)}` : "–");
    table.replaceChildren(x.el("caption", {}, `95% error of the ${x.named(statistic)}${more ? ", the largest" : ""}`), x.el("thead", {}, x.el("tr", {}, ...head.map((words) => x.el("th", { scope: "col" }, words)))), x.el("tbody", {}, ...rows.map((row) =>
      x.row("td", `${dp.factor(row.factor)}${row.chosen ? " (chosen)" : ""}`, shown(row), ...[1, 10, 50].map((of) => dp.chance(row.after[of])), ...(known ? [dp.chance(row.nobody)] : [])))));
  };
})(window.explorer);
