// The sentences of a result, of the package's own words: what is signed, for whom it promises
// something and what it does not, as dpchoose/your_data/wording.py puts them together.
((dp) => {
  "use strict";
  const { words, fill } = dp;
  const listing = (names, last = "and") =>
    [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(` ${last} `);
  const counted = (what, [low, high]) =>
    fill(words.COUNTED, { what, low: dp.inTable(low), high: dp.inTable(high) });
  const spoken = (label) => fill(words.ANSWER, { answer: label.replace(":", " of ") });

  // The answers that are published, of which groups, each counted as within its limits.
  function answersOf({ asks, names: groups, columns, by }) {
    const cuts = asks.map(({ query, limits }) => (/mean|sum/.test(query) ? limits : null)),
      same =
        cuts[0] && new Set(cuts.map(String)).size === 1 ? `, ${counted("each", cuts[0])},` : "";
    const own = (limits) => (same || !limits ? "" : ` (${counted("each", limits)})`);
    let names = asks.map(({ label }, i) => spoken(label) + own(cuts[i]));
    if (names.length > words.MOST_NAMED) {
      const ranges = [...columns].map(([name, pair]) => counted(name, pair));
      const many = fill(words.MANY_ANSWERS, { count: names.length });
      names = [same || !ranges.length ? many : `${many} (${ranges.join(", ")})`];
    }
    const answers = listing(names) + same,
      count = groups.length;
    if (count > 1)
      return fill(words.IN_EACH_GROUP, { answers, count }) + fill(words.BY_COLUMN, { by });
    const one = fill(words.IN_ONE_GROUP, { answers: answers.replace(/,$/, ""), group: groups[0] });
    return count ? one + (same && ",") : answers;
  }
  // What is published of which rows, with which noise.
  function toSign(setting, { became, answers, public: errors }, leftOut) {
    const text = answersOf(setting),
      alone = answers.length === 1,
      plain = !(setting.hidden || setting.names.length || answers.length > words.MOST_NAMED),
      several = plain
        ? fill(words.FEW_NOISES, { errors: listing(errors.map(dp.inTable)) })
        : setting.means.length
          ? words.MANY_SCALES
          : words.MANY_NOISES;
    const single = setting.asks.length === 1 ? words.IS_PUBLISHED : words.ARE_PUBLISHED,
      records = dp.grouped(setting.records);
    return fill(words.TO_SIGN, {
      answers: text[0].toUpperCase() + text.slice(1),
      records: setting.hidden ? words.ALL_RECORDS : fill(words.COUNTED_RECORDS, { records }),
      where: "",
      published: became === "computed" ? single : words.MAY_BE_PUBLISHED,
      noise: alone ? fill(words.ONE_NOISE, { error: dp.inTable(errors[0]) }) : several,
      left_out: leftOut.length ? fill(words.LEFT_OUT, { columns: listing(leftOut, "or") }) : "",
    });
  }
  // What a reader is more or less sure of.
  function guessOf({ answered, hidden, names }) {
    const plain = [...new Set(answered.map(({ column }) => column))],
      being = names.length ? words.OR_IN_GROUP : words.OR_BEING_IN;
    if (!plain.length) return names.length ? words.GUESS_IN_GROUP : words.GUESS_BEING_IN;
    const named = plain.join(", ") + words.TOGETHER[Math.min(plain.length, 3)];
    return fill(words.GUESS_VALUES, { columns: named }) + (hidden ? being : "");
  }
  // What of a person counts as known, because numbers of rows that show it are public.
  function knownOf({ hidden, names }, leftOut) {
    const texts = [];
    if (!hidden && names.length) texts.push(words.KNOWN_GROUP);
    if (!hidden && leftOut.length) texts.push(words.KNOWN_MISSING);
    return texts.length ? texts.join(", ") + words.AND_ALSO : "";
  }
  // On what the promise rests, beside who reads it.
  function restsOn({ columns, hidden, names }) {
    const group = names.length ? words.OF_EACH_GROUP : "",
      texts = columns.size ? [words.LIMITS_FIXED] : [];
    if (!hidden) texts.push(fill(words.N_IS_PUBLIC, { group }));
    const text = texts.join(", ") + (texts.length ? words.AND_ALSO : "") + words.DRAWN_ONCE;
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }
  // That only the first rows of each person are used, and what this rests on.
  function keptRows({ keepRows, perPerson, hidden, names }) {
    if (!keepRows) return "";
    const nor = names.length && !hidden ? words.NOR_ON_ANSWERS : "",
      text = perPerson > 1 ? words.KEEP_ROWS : words.KEEP_ONE_ROW;
    return fill(text, { rows: perPerson, by_group: nor }) + (hidden ? "" : words.ROWS_KNOWN);
  }
  // The three beliefs, before and after, with which all begins; and odds in one line.
  function beliefsOf(setting, { odds, already, of100: [one, ten, half] }, leftOut) {
    const guess = guessOf(setting),
      factor = dp.factor(odds);
    if (odds === Infinity) return { beliefs: fill(words.CERTAIN, { guess }), odds: "" };
    const few = fill(words.FEW_ROWS, { rows: setting.perPerson }),
      single = setting.person ? "" : words.ONE_ROW,
      some = setting.perPerson > 1 ? few : single,
      rows = setting.keepRows ? "" : some, // of whoever has any number of rows
      text = already === 1 ? words.BELIEFS : words.BELIEFS_AFTER;
    return {
      beliefs: fill(words.TAKE + text, {
        known: knownOf(setting, leftOut),
        tell: words.TELL[already === 1 ? 0 : 1],
        guess,
        one,
        ten,
        half,
        factor,
        rows,
      }),
      odds: odds < 1e6 ? fill(words.ODDS, { factor, ten }) : "",
    };
  }
  // Of two and of three people whose records move together; over a million is all that is said.
  const twoAndThree = (odds) => {
    const factor = Math.min(odds, 1e9);
    return { two: dp.factor(factor ** 2), three: dp.factor(factor ** 3) };
  };
  // What was accepted, and what became of it.
  function verdictOf({ hidden, names }, { accepted, became, odds, already, epsilon }) {
    const { goal, value, before } = accepted,
      began = before ? ` from ${before}` : "",
      out = already === 1 ? "" : fill(words.WITH_ALREADY, { already });
    const factor = goal !== "odds" && odds < Infinity ? `, factor ${dp.factor(odds)}` : "",
      total = epsilon < Infinity ? dp.inTable(Number(dp.roundDown(epsilon))) : words.NO_LIMIT,
      step = hidden ? words.COMES_OR_GOES : words.CHANGED,
      group = names.length ? words.ONE_GROUP : "";
    return (
      `${fill(words.GOALS[goal], { value })}${began}${words.BECAME[became]}${out}${factor}. ` +
      `Epsilon ${total} in total, where ${step}${group}. ${words.ROUNDED}`
    );
  }
  // Who is not protected.
  function exceptionsOf({ columns, hidden, person, perPerson, keepRows }, { odds }) {
    const rows = fill(words.ROWS_EACH[Number(perPerson > 1)], { count: perPerson }),
      several = fill(words.SEVERAL_ROWS, { rows });
    return [
      fill(words.TWO_AND_THREE, twoAndThree(odds < Infinity ? dp.asFactor(odds) : odds)),
      keepRows ? fill(words.SEVERAL_NAMES, { person }) : several,
      ...(columns.size ? [words.NOT_IF_LIMITS] : []),
      ...(hidden ? [] : [words.NOT_IF_PUBLIC]),
    ];
  }
  // Which answers by group are all noise, by their limits; "" where sizes are hidden.
  function allNoiseOf({ hidden, names, rows, sizes, perPerson }, answers) {
    const isWide = ({ sensitivity, group }, i) =>
        answers[i].error > sensitivity * (sizes[group] / perPerson),
      wide = hidden || !names.length ? [] : rows.filter(isWide).map(({ statistic }) => statistic),
      many = fill(words.MANY_ANSWERS, { count: wide.length });
    const named = wide.length > words.MOST_NAMED ? many : wide.join("; ");
    return named && fill(words.ALL_NOISE, { answers: named });
  }
  // All of it: the sentences that are signed, the first of them first, and what stands beside.
  function wordsOf(setting, result, leftOut = []) {
    if (!result.rates)
      return { sentences: [fill(words.NOTHING, { reason: result.reason })], beliefs: "", odds: "" };
    const { hidden, names, means, columns } = setting,
      { beliefs, odds } = beliefsOf(setting, result, leftOut);
    const error = columns.size ? words.CUT_NOT_IN_IT : words.NOISE_ALONE,
      group = names.length ? words.THE_GROUP : "",
      facts = { group, way: words.HIDE_FOR_THAT, ...twoAndThree(result.odds) };
    return {
      sentences: [
        `${toSign(setting, result, leftOut)} ${beliefs}`,
        `${restsOn(setting)}${keptRows(setting)} ${error}` +
          (means.length ? words.MEAN_OF_TWO : "") +
          (result.answers.length > 1 ? words.ALL_WITHIN : ""),
        ...(hidden ? words.HIDDEN : words.PUBLIC).promised.map((text) => fill(text, facts)),
        `${words.MULTIPLY} ${words.LOOKING}`,
      ],
      beliefs,
      odds,
      verdict: verdictOf(setting, result),
      exceptions: exceptionsOf(setting, result),
      allNoise: allNoiseOf(setting, result.answers),
    };
  }

  Object.assign(dp, { wordsOf, listing });
})(globalThis.dpchoose);
