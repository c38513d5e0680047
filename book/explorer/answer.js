// What is answered: the verdict as two scales, the three beliefs, pictures, and the sheet.
((x) => {
  "use strict";
  const dp = window.dpchoose,
    { words } = dp;
  function readerOf({ reader, before, after, exact, factor }, thirds) {
    const risk = dp.chance(after, thirds),
      becomes = exact ? risk : dp.fill(words.AT_MOST, { risk }),
      grows = factor === Infinity ? words.NO_LIMIT : `x ${dp.factor(factor)}`;
    return [reader, `${dp.before(before)} -> ${becomes}`, grows];
  }
  const number = (value) => (Number.isFinite(value) ? dp.inTable(value) : ""),
    printed = (text) => (Number(text) ? dp.inTable(Number(text)) : text);

  // The answers that are asked for, each { statistic, of, inGroup, scale, error, answer }; a mean of
  // two noisy numbers is planned.
  function rowsOf({ answers, private: mine, public: errors }, labels) {
    const means = mine.derived.map((row) => ({ ...row, scale: row.error / Math.log(20) })),
      own = answers.map((row, i) => ({ ...row, answer: mine.answers[i], error: errors[i] }));
    return [...means, ...own].filter(({ of }) => labels.includes(of));
  }
  const widest = (rows) => rows.toSorted((a, b) => (b.error || 0) - (a.error || 0));
  // The largest error of the first answer, on the range that it has, and of which group it is:
  // where sizes are public of the smallest one, by name.
  function scaleOf(rows, { asks: [ask], limits, by, hide }) {
    const { query, column } = ask,
      [{ error, inGroup }, next] = widest(rows),
      largest = Math.max(...rows.map(({ answer }) => Math.abs(answer)).filter(Number.isFinite)),
      ranges = { share: [0, 1], mean: limits[column] };
    const [low, high] = ranges[query] ?? [0, 2 * Math.max(largest, 3 * error)],
      about = hide && query in ranges ? "about " : "";
    const isSame = rows.every((row) => row.error === error),
      few = next?.error === error ? "one of the smallest groups" : "the smallest group",
      named = `${x.fit(`${by} ${inGroup}`, 40)}, ${few}`,
      of = isSame ? "each group" : hide ? "the noisiest group" : named;
    return { error, low, high, about, of: by && `, in ${of}` };
  }

  x.verdict = (part, { result, asked, file }) => {
    const { odds, of100, private: mine, warnings, dropped } = result,
      { beliefs, odds: inOdds, allNoise } = result.words,
      labels = asked.asks.map(dp.labelOf),
      first = rowsOf(result, [labels[0]]),
      all = rowsOf(result, labels);
    x.scales(part("verdict"), { ...scaleOf(first, asked), odds }, file.how);
    x.dots(
      part("dots"),
      asked.by && !asked.hide ? widest(all) : all,
      file.how,
      asked.by && labels[0],
    );
    const [take, rest] = beliefs.split(/(?<=\.) (?=[A-Z])(.*)/s);
    part("take").textContent = take;
    part("beliefs").textContent = rest ?? "";
    part("odds").textContent = inOdds;
    const open = `${openOf(result, asked)}: for that, hide the number of rows in step 3.`,
      rows = dropped > 1 ? "rows that miss a value are" : "row that misses a value is",
      gone = dropped ? [`${dp.grouped(dropped)} ${rows} left out.`] : [];
    const warned = [...(asked.hide ? [] : [open]), ...gone, ...warnings, words.MULTIPLY];
    part("all-noise").textContent = allNoise;
    part("warned").textContent = warned.join(" ");
    const people = words.OF_100.map((before, i) => [before, odds < Infinity ? of100[i] : 100]);
    x.people(part("people"), people);
    part("cuts").replaceChildren();
    part("cut").open = false;
    part("cut").hidden = !mine.cuts.length;
  };

  // The error and the three beliefs of a sentence stand out.
  const bold = (sentence) =>
    sentence
      .split(/(noise within .+? draws|at most [^;]+% sure; .+?(?= \())/)
      .map((text, i) => (i % 2 ? x.el("strong", {}, text) : text));

  // What is not protected where n is public.
  function openOf({ dropped }, { by }) {
    const facts = { group: by ? words.AND_GROUP : "", missing: dropped ? words.OR_MISSING : "" };
    return dp.fill(words.NOT_PROTECTED, facts);
  }

  // What cutting takes away: shown on request, for whoever holds the file, in the words of
  // --show-cut.
  x.cuts = (part, { asked, result: { private: mine, answers } }) => {
    const short = (value) => dp.inTable(Number(value.toPrecision(2))),
      texts = mine.cuts.map(({ label, cut, uncut }) => {
        const row = answers.find(({ statistic }) => statistic === label),
          difference = cut - uncut;
        const ratio = short(row ? Math.abs(difference) / dp.twoDigits(row.error) : 0),
          answer = `the ${label.replace(":", " of ")}`;
        const times = row ? dp.fill(words.CUT_TIMES, { ratio }) : "",
          facts = { answer, difference: short(difference), times };
        return dp.fill(words.CUT_EFFECT, facts);
      });
    part("cuts").replaceChildren(...(asked.by ? [words.CUT_BY_GROUP] : texts).map(x.p));
  };

  // The sheet, as dpchoose epsilon --report writes it, with what its first screen says of the
  // promise's ends, from what the limits are, and the command. A digest of the file would be an exact
  // answer: who knows all other records tries values of the last until it fits.
  x.sheet = (place, { result, asked, question, file }) => {
    const table = (...rows) =>
      x.el("table", {}, x.el("tbody", {}, ...rows.map((cells) => x.row(...cells))));
    const { accepted, answers, readers, public: errors, private: mine, dropped, odds } = result,
      thirds = accepted.goal === "risk" ? [1, 2] : [],
      { sentences, verdict, exceptions, odds: inOdds } = result.words,
      isAlone = answers.length === 1;
    const without = dp.fill(words.WITHOUT_MISSING, { count: dp.grouped(dropped) }),
      { person, perPerson, keepRows } = question,
      first = Number(perPerson) > 1 ? words.FIRST_ROWS : words.FIRST_ROW,
      kept = keepRows ? dp.fill(first, { person, rows: perPerson }) : "",
      rows = file.name + kept + (dropped && !asked.hide ? without : "");
    const columns = ["scale", "error", ...(isAlone ? [] : ["together"]), "epsilon"];
    const noise = answers.map(({ statistic, scale, together, epsilon }, i) => {
      const cells = {
        scale: printed(dp.roundUp(scale)),
        error: number(errors[i]),
        together: number(dp.twoDigits(together)),
        epsilon: printed(dp.roundDown(epsilon)),
      };
      return [statistic, ...columns.map((name) => cells[name])];
    });
    const blank = columns.slice(1).map(() => ""),
      computed = mine.derived.map((row) => [row.statistic, "computed", ...blank]),
      head = ["statistic", ...columns.map((name) => words.COLUMNS[name])];
    const beliefs = words.OF_100.map((of) => dp.of100(dp.after(of / 100, odds))),
      form = { day: "numeric", month: "long", year: "numeric" },
      ends = (asked.hide ? "" : `${openOf(result, asked)}. `) + words.MULTIPLY,
      [limits, ...source] = x.limitsLines(question, file.how),
      date = new Date().toLocaleDateString("en-GB", form),
      noted = [`Limits: ${limits}`, ...source, `Made on ${date}`];
    place.replaceChildren(
      x.el("h3", {}, words.SIGN),
      x.el("p", {}, ...bold(sentences[0])),
      x.p(ends),
      ...(inOdds ? [x.p(inOdds)] : []),
      table([words.BEFORE_100, ...words.OF_100], [words.AFTER_100, ...beliefs]),
      x.p(verdict),
      table(head, ...noise, ...computed),
      table(words.WHO_READS, ...readers.map((reader) => readerOf(reader, thirds))),
      x.el("h4", {}, words.ASSUMED),
      x.p(dp.fill(words.ROWS, { rows })),
      x.el(
        "p",
        { class: "x-note" },
        `${noted.map(x.ended).join(" ")} Command: `,
        x.el("code", {}, x.command(file, asked)),
      ),
      ...sentences.slice(1).map(x.p),
      x.p(words.UNPROTECTED),
      x.el("ul", {}, ...exceptions.map((text) => x.el("li", {}, text))),
      x.p(words.DRAWN),
      ...words.SIGNED.map((line) => x.el("p", { class: "x-sign" }, line)),
    );
  };
})(window.explorer);
