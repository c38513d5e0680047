// The answer to which noise, as dpchoose.Recommendation.to_dict tells it: numbers, readers, choices and sentences.
dpchoose.part((dp) => {
  "use strict";
  const UNIT = 2 ** -53, CONFIDENT = Math.log(20), FACTORS = [1.5, 2, 3, 5, 10, 30, 100], OF_100 = [1, 10, 50];
  const SURPRISING = 10, LARGE = 0.1;
  const PUBLISHED = "It holds for these answers, published once, where a person has one row: the same question again is a further answer.";
  // The logarithm of the factor that is accepted, rounded down.
  function accepted(goal, exact, before) {
    if (goal === "odds") return dp.log(exact) * (1 - 8 * UNIT);
    const logOdds = (risk) => { const found = dp.log(dp.oddsOf(risk)); return found - 8 * UNIT * (1 + Math.abs(found)); };
    return logOdds(exact) - logOdds(before) - 32 * UNIT;
  }
  // The one goal, checked: { goal, value, exact, before, said }.
  function goalOf({ goal, value, before = null }) {
    const said = `${goal} ${[value].flat().join(", ")}`;
    if (goal !== "odds" && goal !== "risk") return { goal, value, exact: null, before: null, said };
    const exact = goal === "odds" ? dp.parseNumber(value, "the factor") : dp.parseRisk(value), belief = before ? dp.parseRisk(before, "before") : null;
    if (goal === "odds" && exact.n <= exact.d) dp.refuse(`the factor must exceed 1, got ${value}`);
    if (belief && belief.n * exact.d >= exact.n * belief.d) dp.refuse(`before must lie below the risk, ${value}, got ${before}`);
    return { goal, value, exact, before: belief, said: belief ? `${said} from ${dp.show(belief)}` : said };
  }
  // A number as it stands in a table.
  const written = (value) => (value && !(Math.abs(value) >= 1e-6 && Math.abs(value) < 1e15) ? dp.general(value, 6) : String(value));

  const scaleOf = (rate) => (rate === Infinity ? 0 : rate ? (1 / rate) * (1 + 2 ** -52) : Infinity);
  const errorOf = (scale) => (scale ? scale * CONFIDENT * (1 + 2 ** -52) : 0), asPrinted = (scale) => (scale < Infinity ? Number(dp.roundUp(scale)) : scale);
  // One number for each new answer: all alike, or for each statistic, or for each answer.
  function forEach(setting, { goal, value }, places) {
    const given = [value].flat(), asked = places.length / (setting.groups ?? 1);
    if (![1, asked, places.length].includes(given.length)) dp.refuse(`${goal} must give one number or ${asked}, got ${given.length}`);
    return places.map((_, i) => {
      const found = dp.float(dp.parseNumber(given[i % given.length], goal));
      if (!(found > 0)) dp.refuse(`${goal} must lie in (0, inf), got ${given[i % given.length]}`);
      return found;
    });
  }
  // What a goal asks for: { status, reason, rates, scales, errors }.
  function noise(setting, goal, weights) {
    const places = (setting.fresh ?? [true]).flatMap((fresh, i) => (fresh ? [i] : [])), at = (all) => places.map((i) => all[i]);
    if (goal.goal === "odds" || goal.goal === "risk") {
      const { status, reason, rates } = setting.kept(goal, weights);
      const scales = rates && at(rates).map(scaleOf);
      return { status, reason, rates, places, scales, errors: scales?.map(asPrinted).map(errorOf) };
    }
    if (setting.hidden && goal.goal === "error") dp.refuse("an error must not be asked for where the number of rows is hidden, since n and the answer fix it");
    const rates = setting.base?.() ?? [0], every = setting.sensitivities;
    let scales = null;
    if (goal.goal === "epsilon" && !Array.isArray(goal.value)) {
      const direction = setting.direction?.(weights) ?? [1], [total] = forEach(setting, goal, [0]);
      const far = total / (setting.total?.(direction.map((one, i) => one * every[i])) ?? every[0]);
      for (const i of places) rates[i] = far * direction[i];
    } else {
      const given = forEach(setting, goal, places);
      if (goal.goal === "scale") scales = given;
      if (goal.goal === "error") scales = given.map((one) => Number(dp.roundDown(one / CONFIDENT))); // which are printed as they are
      places.forEach((i, j) => { rates[i] = scales ? 1 / scales[j] : given[j] / every[i]; });
    }
    scales ??= at(rates).map(scaleOf);
    return { status: "computed", reason: "", rates, places, scales, errors: (goal.goal === "scale" ? scales : scales.map(asPrinted)).map(errorOf) };
  }
  // What each factor would cost and give, in the proportions that the answers have now.
  function choicesOf(setting, { rates, places, errors }, mine) {
    if (!setting.telling) return [];
    const finite = rates.every(Number.isFinite), proportions = (finite ? rates : rates.map(() => 1)).map((rate, i) => (places.includes(i) ? rate : 0));
    const factors = [...new Set([...FACTORS, ...(mine < Infinity ? [mine] : [])])].sort((a, b) => a - b);
    return factors.flatMap((factor) => {
      const chosen = factor === mine;
      if (!chosen && Math.abs(factor / mine - 1) < 1e-6) return [];
      const at = chosen ? rates : setting.along(Math.log(factor) * (1 - 8 * UNIT), proportions);
      if (!at) return [];
      const after = Object.fromEntries(OF_100.map((of) => [of, dp.after(of / 100, factor)]));
      return [{ factor, chosen, errors: chosen ? errors : places.map((i) => errorOf(asPrinted(scaleOf(at[i])))), after, nobody: setting.nobody(at),
        planned: setting.derived?.(at).map(({ error }) => error) ?? [] }];
    });
  }
  // The answer to a question about a setting; `exact` answers are for the screen of whoever holds the file.
  function recommend(setting, given, weights = null) {
    const goal = goalOf(given), found = noise(setting, goal, weights), { rates, places, errors, scales } = found;
    const told = { accepted: { goal: goal.goal, value: [given.value].flat().join(", "), before: goal.before && dp.before(goal.before) }, ...found };
    const { labels } = setting, asked = setting.asks?.map(({ label }) => label) ?? labels, names = setting.names ?? [], every = setting.sensitivities;
    if (!rates) return { ...told, answers: [], readers: [], choices: [], sentences: [`Nothing can be published so: ${told.reason}.`], odds: NaN };
    const readers = setting.readers(rates, goal.before), odds = dp.grown("", { n: 1n, d: 2n }, setting.distance(rates)).factor;
    if (!setting.asks && goal.goal === "risk" && !goal.before && odds > SURPRISING) {
      const grow = odds < Infinity ? `grow x ${dp.factor(odds)}` : "become certain";
      told.reason = `${told.reason || "for who suspects nobody"}; any suspicion about who is missing may ${grow}`;
    }
    const exact = setting.answers?.() ?? [setting.answer], shares = places.map((i, j) => errors[j] / Math.abs(exact[i]));
    const epsilons = places.map((i) => (setting.telling ? rates[i] * every[i] * (1 - 2 ** -50) : NaN));
    const derived = setting.derived?.(rates) ?? [], [one, ten, half] = OF_100.map((of) => dp.of100(dp.after(of / 100, odds)));
    const about = `how sure a reader may get about ${setting.about ?? "who is missing"}`;
    const suspicions = odds === Infinity ? `${about}: certain`
      : `${about}, of 100: 1 may become ${one}, 10 become ${ten}, 50 become ${half}, at most (factor ${dp.factor(odds)})`;
    const spoken = asked.length <= 4 ? asked.map((label) => `the ${label.replace(":", " of ")}`) : [`${asked.length} answers`];
    const each = names.length > 1 ? ` in each of ${names.length} groups` : names.map((name) => `, ${name}`).join("");
    const what = [spoken.slice(0, -1).join(", "), spoken.at(-1)].filter(Boolean).join(" and ") + each;
    const may = told.status !== "computed" ? "may be published" : asked.length === 1 ? "is published" : "are published";
    const alone = asked.length === 1 && labels.length === 1;
    const with_ = alone ? `Laplace noise (below ${dp.roundUp(errors[0])} in 95 of 100 draws)` : "Laplace noise of the scales in the table";
    const how = told.status === "exact" ? `without noise: ${told.reason}` : `with ${with_}: ${suspicions}`;
    const full = (all) => { const spread = every.map(() => 0); places.forEach((i, j) => { spread[i] = all[j] || 0; }); return spread; };
    return {
      ...told, odds, readers, suspicions,
      answers: places.map((_, j) => ({ statistic: labels[j], sensitivity: every[places[j]], scale: scales[j], error: errors[j], epsilon: epsilons[j] })),
      epsilon: setting.total ? setting.total(full(epsilons)) : epsilons[0] || 0,
      choices: choicesOf(setting, found, odds),
      sentences: [...setting.sentences(readers, what[0].toUpperCase() + what.slice(1), `${may} ${how}`), PUBLISHED],
      private: {
        answers: places.map((i) => exact[i]), relative: [...shares, ...derived.map((mean) => mean.error / Math.abs(mean.answer))], derived,
        advice: setting.advice ? setting.advice(odds) : adviceOf(odds, shares),
      },
    };
  }
  // What would make an error smaller that is large beside its answer.
  function adviceOf(factor, shares) {
    if (!shares.some((share) => share > LARGE) || !(factor > 1 && factor < 1e3)) return [];
    return [`An error is more than a tenth of its answer. Half of every error takes the square of the factor, ${dp.factor(factor ** 2)}; of k answers ` +
      "published together each has k times the error of one alone."];
  }

  return { accepted, recommend, written };
});
