// What is answered: the verdict as two scales, the three beliefs, pictures, tables, and the sheet.
((x) => {
  "use strict";
  const dp = window.dpchoose,
    { words } = dp;
  const ROWS = 40; // of a table on the screen
  const head = (...cells) =>
    x.el("thead", {}, x.el("tr", {}, ...cells.map((cell) => x.el("th", { scope: "col" }, cell))));
  const factorOf = ({ factor }) =>
    factor === Infinity ? words.NO_LIMIT : `× ${dp.factor(factor)}`;
  const number = (value) => (Number.isFinite(value) ? dp.written(value) : ""),
    printed = (text) => (Number(text) ? dp.written(Number(text)) : text);

  // The largest error of the first answer, on the range that it has.
  function scaleOf(
    { answers, private: mine, public: errors },
    { asks: [first], by, hide },
    limits,
  ) {
    const label = dp.labelOf(first),
      derived = mine.derived.filter(({ statistic }) => statistic.startsWith(label)),
      planned = derived.map(({ error }) => error).filter(Number.isFinite);
    const own = answers.flatMap(({ statistic }, i) =>
      statistic.startsWith(label) ? errors[i] : [],
    );
    const error = Math.max(...(planned.length ? planned : own)),
      largest = Math.max(...mine.answers.filter(Number.isFinite).map(Math.abs), 3 * error);
    const ranges = { share: [0, 1], mean: limits[first.column] ?? [0, 1] },
      [low, high] = (ranges[first.query] ?? [0, 2 * largest]).map(Number);
    return {
      error,
      low,
      high,
      about: planned.length && hide ? "about ± " : by ? "at most ± " : "± ",
    };
  }

  x.verdict = (part, { result, asked }) => {
    const { odds, of100, private: mine, answers, warnings, dropped } = result;
    x.scales(part("verdict"), { ...scaleOf(result, asked, asked.limits), odds });
    part("beliefs").replaceChildren(
      x.el("span", {}, result.words.beliefs),
      " ",
      x.el("span", { class: "x-note" }, result.words.odds),
    );
    const facts = {
      group: asked.by ? words.AND_GROUP : "",
      missing: dropped ? words.OR_MISSING : "",
    };
    const open = asked.hide
      ? ""
      : `${dp.fill(words.NOT_PROTECTED, facts)}: for that, hide the number of rows in step 3. `;
    const gone = dropped
      ? `${dp.grouped(dropped)} row${dropped > 1 ? "s that miss" : " that misses"} a value ` +
        `${dropped > 1 ? "are" : "is"} left out. `
      : "";
    part("warned").textContent = `${open}${gone}${warnings.join(" ")} ${words.MULTIPLY}`;
    const sure = [1, 10, 50].map((before, i) => [before, odds < Infinity ? of100[i] : 100]);
    x.people(part("people"), sure);
    const derived = mine.derived.map((row) => ({ ...row, scale: row.error / Math.log(20) })),
      exact = answers.map((row, i) => ({
        ...row,
        answer: mine.answers[i],
        error: result.public[i],
      }));
    x.dots(part("dots"), derived.length ? derived : exact);
    tables(part, result, asked);
    part("cuts").replaceChildren();
    part("cut").open = false;
    part("cut").hidden = !mine.cuts.length;
  };

  // What cutting takes away: shown on request, for whoever holds the file.
  x.cuts = (part, { private: { cuts }, answers }) =>
    part("cuts").replaceChildren(
      ...cuts.map(({ label, below, above, cut, uncut }) => {
        const row = answers.find(({ statistic }) => statistic === label),
          difference = cut - uncut,
          short = (value) => dp.general(value, 2);
        const beyond = `${dp.grouped(below)} values lie below the limits, ${dp.grouped(above)} above.`;
        const effect = dp.fill(words.CUT_EFFECT, {
          answer: `the ${label.replace(":", " of ")}`,
          difference: difference ? short(difference) : "0",
          ratio: row && difference ? short(Math.abs(difference) / row.error) : "0",
        });
        return x.el("p", {}, `${beyond} ${effect[0].toUpperCase()}${effect.slice(1)}.`);
      }),
    );

  function tables(part, { readers, answers, public: errors, private: mine, epsilon }, { by }) {
    part("readers").replaceChildren(
      x.el("caption", {}, "Who reads it, and how sure she gets"),
      head("reader", "before → after", "factor"),
      x.el(
        "tbody",
        {},
        ...readers.map((row) =>
          x.row("th", row.reader, `${dp.before(row.before)} → ${x.after(row)}`, factorOf(row)),
        ),
      ),
    );
    const rows = answers
      .slice(0, ROWS)
      .map((row, i) =>
        x.row(
          "th",
          x.named(row.statistic),
          dp.roundUp(row.scale),
          number(errors[i]),
          dp.roundDown(row.epsilon),
        ),
      );
    const more = `and ${dp.grouped(answers.length - ROWS)} more, on the sheet`;
    if (answers.length > ROWS) rows.push(x.row("th", more, "", "", ""));
    const derived = mine.derived
      .slice(0, ROWS)
      .map(({ statistic, error }) =>
        x.row("th", `${x.named(statistic)}, for you alone`, "–", `about ${number(error)}`, "–"),
      );
    const whole = by ? "ε of all (a person is in one group)" : "ε of all together";
    if (answers.length > 1) derived.push(x.row("th", whole, "", "", dp.roundDown(epsilon)));
    part("noise").replaceChildren(
      x.el("caption", {}, "The noise of each answer"),
      head("answer", "scale of the noise", "95% error", "ε"),
      x.el("tbody", {}, ...rows, ...derived),
    );
  }

  // A sentence for who hears the page.
  x.spoken = ({ result }) => result.words.sentences[0];

  // The sheet, as dpchoose epsilon --report writes it, and from what the limits are.
  x.sheet = (place, { result, asked, question, file }) => {
    const table = (first, rows) =>
      x.el(
        "table",
        {},
        x.el(
          "tbody",
          {},
          ...[first, ...rows].map(([name, ...cells]) => x.row("th", name, ...cells)),
        ),
      );
    const { answers, readers, public: errors, private: mine, dropped, odds } = result,
      { sentences, verdict, exceptions } = result.words,
      together = answers.length > 1;
    const without = dropped && !asked.hide,
      name = { file: file.name, count: dp.grouped(dropped) },
      rows = without ? dp.fill(words.WITHOUT_MISSING, name) : file.name;
    const noise = answers.map(({ statistic, scale, together: within, epsilon }, i) => [
      statistic,
      printed(dp.roundUp(scale)),
      number(errors[i]),
      ...(together ? [number(dp.twoDigits(within))] : []),
      printed(dp.roundDown(epsilon)),
    ]);
    const blanks = together ? ["", "", ""] : ["", ""],
      computed = mine.derived.map(({ statistic }) => [statistic, "computed", ...blanks]),
      columns = together ? [words.TOGETHER_WITHIN] : [];
    const beliefs = words.OF_100.map((of) => dp.of100(dp.after(of / 100, odds)));
    const date = new Date().toLocaleDateString("en-GB", {
      day: "numeric",
      month: "long",
      year: "numeric",
    });
    place.replaceChildren(
      x.el("h4", {}, words.SIGN),
      x.el("p", { class: "x-first" }, sentences[0]),
      ...(result.words.odds ? [x.el("p", {}, result.words.odds)] : []),
      table([words.BEFORE_100, ...words.OF_100], [[words.AFTER_100, ...beliefs]]),
      x.el("p", {}, verdict),
      table(
        ["statistic", "noise scale", "95% error", ...columns, "epsilon"],
        [...noise, ...computed],
      ),
      table(
        words.WHO_READS,
        readers.map((row) => [
          row.reader,
          `${dp.before(row.before)} -> ${x.after(row)}`,
          factorOf(row).replace("×", "x"),
        ]),
      ),
      x.el("h5", {}, words.ASSUMED),
      x.el("p", {}, dp.fill(words.ROWS, { rows })),
      ...sentences.slice(1).map((text) => x.el("p", {}, text)),
      x.el("p", {}, words.UNPROTECTED),
      x.el("ul", {}, ...exceptions.map((text) => x.el("li", {}, text))),
      x.el("p", {}, words.DRAWN),
      x.el("p", { class: "x-sign" }, words.SIGNED),
      x.el("p", { class: "x-note" }, `${x.limitsLine(question, file.how)}. ${file.name}, ${date}`),
    );
  };
})(window.explorer);
