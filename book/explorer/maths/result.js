// The answer to which noise, as dpchoose.Recommendation.to_dict tells it: numbers, readers and
// sentences.
((dp) => {
  "use strict";
  const { words } = dp,
    { UNIT, OF_100, LEAST_LEFT } = words;
  // The logarithm of the factor that is accepted, rounded down.
  function acceptedLoss({ goal, exact, before }) {
    if (goal === "odds") return dp.log(exact) * (1 - 8 * UNIT);
    const logOdds = (risk) => {
      const value = dp.log(dp.oddsOf(risk));
      return value - 8 * UNIT * (1 + Math.abs(value));
    };
    return logOdds(exact) - logOdds(before) - 32 * UNIT;
  }
  // The one goal, checked: { goal, value, exact, before, text }.
  function goalOf({ goal, value, before = null }) {
    const text = `${goal} ${value}`;
    if (goal === "error") {
      if (/%/.test(value))
        dp.refuse(
          `error must be in the unit of the answer beside limits, got ${value}: noise that is a ` +
            "share of the answer tells the answer",
        );
      const exact = dp.parsePlain(value, "error");
      if (exact.n <= 0n) dp.refuse(`error must exceed 0, got ${value}`);
      return { goal, value, exact, before: null, text };
    }
    const exact = goal === "odds" ? dp.parsePlain(value, "the factor") : dp.parseRisk(value),
      belief = goal === "risk" ? dp.parseRisk(before, "before") : null;
    if (goal === "odds" && exact.n <= exact.d) dp.refuse(`the factor must exceed 1, got ${value}`);
    if (belief && belief.n * exact.d >= exact.n * belief.d)
      dp.refuse(dp.fill(words.BEFORE_BELOW_RISK, { risk: value, before }));
    return {
      goal,
      value,
      exact,
      before: belief,
      text: belief ? `${text} from ${dp.show(belief)}` : text,
    };
  }
  // A factor of what is out already, at least 1.
  function earlierOf(text) {
    const factor = dp.parsePlain(text, "already");
    if (factor.n < factor.d) dp.refuse(`already must be a factor of at least 1, got ${text}`);
    return factor;
  }
  // A number as it stands in a table.
  const written = (value) =>
    value && !(Math.abs(value) >= 1e-6 && Math.abs(value) < 1e15)
      ? dp.general(value, 6)
      : String(value);

  const scaleOf = (rate) => (rate ? (1 / rate) * (1 + 2 ** -52) : Infinity),
    asPrinted = (scale) => (scale < Infinity ? Number(dp.roundUp(scale)) : scale);
  // The error that noise of a scale exceeds with a chance of 1 - inside, at most: of a count, whose
  // noise is whole, and of all else.
  function errorOf(kind, scale, inside = 0.95) {
    if (kind !== "count") return scale * -Math.log1p(-inside) * (1 + 2 ** -52);
    const beyond = Math.log1p(-inside) + Math.log1p(Math.exp(-1 / scale)) - Math.LN2;
    return Math.max(Math.ceil(-beyond * scale - 1 - 1e-9), 0);
  }
  // What a goal asks for: { status, reason, rates, scales }.
  function noise(setting, goal, earlier) {
    const { direction } = setting;
    if (goal.goal === "error") {
      if (setting.hidden)
        dp.refuse(
          "error must not be given where the number of rows is hidden, since n and the answer fix it",
        );
      const scale = Number(dp.roundDown(dp.float(goal.exact) / Math.log(20)));
      const scales = direction.map(() => scale);
      const rates = scales.map((value) => 1 / value);
      return { status: "computed", reason: "", rates, scales };
    }
    const loss = acceptedLoss(goal),
      nothing = (status, sentence) => ({
        status,
        reason: dp.fill(sentence, { accepted: goal.text }),
        rates: null,
      });
    const already = earlier.n > earlier.d,
      left = already ? loss - dp.log(earlier) : loss;
    if (left < -1e-12) return nothing("cannot be met", words.EXCEEDED);
    if (left <= LEAST_LEFT) return nothing("nothing left", words.NOTHING_LEFT);
    const rest = already ? left * (1 - 2 ** -40) : left,
      along = (rest / setting.distance(direction)) * (1 - 2 ** -40);
    const rates = direction.map((value) => along * value),
      scales = rates.map(scaleOf);
    return { status: "ok", reason: "", rates, scales };
  }
  // The answer to a question about a setting; what is private is for the screen of whoever holds
  // the file.
  function recommend(setting, given, already = "1") {
    const goal = goalOf(given),
      earlier = earlierOf(already),
      drawn = noise(setting, goal, earlier);
    const accepted = {
      goal: goal.goal,
      value: String(given.value),
      before: goal.before && dp.before(goal.before),
    };
    const result = { accepted, already: dp.float(earlier), ...drawn };
    const { labels, sensitivities } = setting,
      { rates, scales } = drawn;
    if (!rates) return { ...result, answers: [], readers: [], odds: NaN };
    const loss = setting.distance(rates),
      odds = dp.readerAt("", { n: 1n, d: 2n }, loss, result.already).factor;
    const kinds = setting.each(({ kind }) => kind),
      within = (inside) => scales.map((scale, i) => errorOf(kinds[i], asPrinted(scale), inside)),
      errors = within(0.95),
      together = scales.length > 1 ? within(0.95 ** (1 / scales.length)) : [];
    const epsilons = rates.map((rate, i) => rate * sensitivities[i] * (1 - 2 ** -50));
    return {
      ...result,
      odds,
      readers: setting.readers(rates, goal.before, result.already),
      answers: labels.map((statistic, i) => ({
        statistic,
        scale: scales[i],
        error: errors[i],
        together: together[i] ?? NaN,
        epsilon: epsilons[i],
      })),
      public: errors.map(dp.twoDigits),
      epsilon: setting.total(epsilons),
      of100: OF_100.map((of) => dp.of100(dp.after(of / 100, odds))),
      private: {
        answers: setting.answers(),
        derived: setting.derived(rates),
        cuts: setting.cuts(),
      },
    };
  }

  Object.assign(dp, { recommend, written });
})(globalThis.dpchoose);
