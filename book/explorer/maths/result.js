// The answer to which noise, as dpchoose.Noise.to_dict tells it: numbers, readers and
// sentences.
((dp) => {
  "use strict";
  const { words } = dp,
    { UNIT, OF_100, LEAST_LEFT } = words;
  // The one goal, checked: { goal, value, before, text, loss }, where the loss that is accepted, the
  // logarithm of a factor, is rounded down.
  function goalOf({ goal, value, before: given }) {
    const text = `${goal} ${value}`;
    if (goal === "error") {
      if (/%/.test(value))
        dp.refuse(
          `error must be in the unit of the answer beside limits, got ${value}: noise that is a ` +
            "share of the answer tells the answer",
        );
      const error = dp.parsePlain(value, "error");
      if (!(error > 0)) dp.refuse(`error must exceed 0, got ${value}`);
      return { goal, value, error, text };
    }
    if (goal === "odds") {
      const factor = dp.parsePlain(value, "the factor");
      if (!(factor > 1)) dp.refuse(`the factor must exceed 1, got ${value}`);
      const loss = factor < 2 ? Math.log1p(factor - 1) : Math.log(factor);
      return { goal, value, text, loss: loss * (1 - 8 * UNIT) - 4 * UNIT };
    }
    const risk = dp.parseRisk(value),
      before = dp.parseRisk(given, "before");
    if (before >= risk) dp.refuse(dp.fill(words.BEFORE_BELOW_RISK, { risk: value, before: given }));
    const logOdds = [risk, before].map((belief) => Math.log(belief) - Math.log1p(-belief));
    const room = 8 * UNIT * (8 + 1 / (1 - risk) + Math.abs(logOdds[0]) + Math.abs(logOdds[1]));
    const loss = logOdds[0] - logOdds[1] - room;
    return { goal, value, before, text: `${text} from ${given}`, loss };
  }
  // A factor of what is out already, at least 1.
  function earlierOf(text) {
    const factor = dp.parsePlain(text, "already");
    if (factor < 1) dp.refuse(`already must be a factor of at least 1, got ${text}`);
    return factor;
  }

  const asPrinted = (scale) => (scale < Infinity ? Number(dp.roundUp(scale)) : scale);
  // The error that noise of a scale exceeds with a chance of 1 - inside, at most: of a count, whose
  // noise is whole, and of all else.
  function errorOf(kind, scale, inside = 0.95) {
    if (kind !== "count") return scale * -Math.log1p(-inside) * (1 + 2 ** -52);
    const beyond = Math.log1p(-inside) + Math.log1p(Math.exp(-1 / scale)) - Math.LN2;
    return Math.max(Math.ceil(-beyond * scale - 1 - 1e-9), 0);
  }
  // What a goal asks for: { became, rates }, and the scale where an error gives it; or { reason }
  // where no noise keeps it.
  function noise(setting, { goal, error, loss, text }, already) {
    const { direction } = setting;
    if (goal === "error") {
      if (setting.hidden)
        dp.refuse(
          "error must not be given where the number of rows is hidden, since n and the answer fix it",
          [{ words: "choose a factor", goal: "odds", value: "3", before: "" }],
        );
      const scale = Number(dp.roundDown(error / Math.log(20)));
      return { became: "computed", scale, rates: direction.map(() => 1 / scale) };
    }
    const left = already > 1 ? loss - Math.log(already) - 8 * UNIT * (1 + loss) : loss,
      nothing = (sentence) => ({ reason: dp.fill(sentence, { accepted: text }) });
    if (left < -LEAST_LEFT) return nothing(words.EXCEEDED);
    if (left <= LEAST_LEFT) return nothing(words.NOTHING_LEFT);
    const along = (left / setting.distance(direction)) * (1 - 2 ** -39);
    return { became: "kept", rates: direction.map((value) => along * value) };
  }
  // The answer to a question about a setting; what is private is for the screen of whoever holds
  // the file.
  function recommend(setting, given, out = "1") {
    const goal = goalOf(given),
      already = earlierOf(out),
      { rates, scale: ofAll, ...drawn } = noise(setting, goal, already);
    const { value, before } = goal,
      accepted = { goal: goal.goal, value, before: before && dp.before(before) },
      result = { accepted, already, rates, ...drawn };
    if (!rates) return { ...result, answers: [], readers: [], odds: NaN };
    const odds = setting.factor(setting.distance(rates), already),
      many = rates.length > 1;
    const answers = setting.rows.map(({ statistic, of, inGroup, kind, sensitivity }, i) => {
      const scale = ofAll ?? (1 / rates[i]) * (1 + 2 ** -52),
        error = errorOf(kind, asPrinted(scale)),
        together = many ? errorOf(kind, asPrinted(scale), 0.95 ** (1 / rates.length)) : NaN,
        epsilon = rates[i] * sensitivity * (1 - 2 ** -50);
      return { statistic, of, inGroup, scale, error, together, epsilon };
    });
    return {
      ...result,
      odds,
      answers,
      readers: setting.readers(rates, before, already),
      public: answers.map(({ error }) => dp.twoDigits(error)),
      epsilon: Math.max(...setting.groupSums(answers.map(({ epsilon }) => epsilon))),
      of100: OF_100.map((of) => dp.of100(dp.after(of / 100, odds))),
      private: {
        answers: setting.rows.map(({ answer }) => answer),
        derived: setting.derived(rates),
        cuts: setting.cuts,
      },
    };
  }

  Object.assign(dp, { recommend });
})(globalThis.dpchoose);
