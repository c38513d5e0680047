// The beliefs after every output, whose highest point is one point of the risk against epsilon; for
// the school, or for numbers that a reader types.
moving("worst-output", (stage, school) => {
  const { percent, whole: name } = moving;
  const short = (v) => String(+v.toPrecision(4));
  const brief = (words) => (words.length > 11 ? `${words.slice(0, 10)}…` : words);
  const wordsOf = (risk) => (risk === school.risk ? school.accepted : percent(risk, 0));
  let records = { values: school.values, missing: school.missing, unit: " days" };
  let query = school.query;
  stage.title("The worst output at each ε draws the curve of the risk");
  stage.hint(
    "Drag ε along the second axis and watch the highest point of the first plot. Drag an " +
      "output along the first: none does worse. Or type numbers of your own.",
  );

  const left = stage.plot({
    height: 290,
    short: 220,
    label: "Belief in each world after each output",
    x: [0, 1],
    y: [0, 1.1], // room for the name of the highest point
    yLabel: "belief that this one is missing",
    yName: name,
    left: 52,
  });
  const right = stage.plot({
    height: 290,
    short: 220,
    label: "Risk against epsilon",
    x: [0, 5],
    y: [0, 1],
    xLabel: "ε",
    yLabel: "belief after the worst output",
    yName: name,
    left: 52,
  });
  const output = left.handle({
    label: "Output",
    value: 4.5,
    step: 0.05,
    text: (v) => short(v) + records.unit,
    moved: () => draw(),
  });
  const epsilon = right.handle({
    label: "Epsilon",
    value: school.epsilon,
    step: 0.02,
    from: 0.02,
    text: (v) => `ε = ${v.toFixed(2)}`,
    moved: () => draw(),
    kind: "one",
  });
  const typed = stage.field({
    label: "Your two to ten numbers",
    value: [...school.values].reverse().join(", "),
    changed: read,
  });
  stage.field({
    label: "Published of all but one",
    value: query,
    options: Object.keys(moving.QUERIES),
    changed: (chosen) => {
      query = chosen;
      pose();
      draw();
    },
  });
  const accepted = stage.slider({
    label: "Accepted risk",
    value: school.risk,
    from: 0.05,
    to: 0.95,
    steps: 90,
    even: true,
    text: wordsOf,
    moved: () => draw(),
  });

  // What is wrong with the numbers, or "".
  function fault(words, values) {
    const wrong = words.find((word, i) => !(Math.abs(values[i]) < 1e15));
    if (wrong !== undefined) return `be finite and plain, got ${wrong}`;
    if (values.length < 2 || values.length > 10) return `be two to ten, got ${values.length}`;
    return values.every((value) => value === values[0]) ? `differ, got ${values[0]} alone` : "";
  }

  function read(text) {
    const words = text.split(/[\s,;]+/).filter(Boolean),
      values = words.map(Number),
      reason = fault(words, values);
    typed.setAttribute("aria-invalid", Boolean(reason));
    if (reason) {
      stage.says(`The numbers must ${reason}.`, {});
      return;
    }
    records = { values, missing: values.map((value) => `the ${value}`), unit: "" };
    pose();
    draw();
  }

  // The worlds of these records, and the axes and handles that fit them.
  let answers, sensitivity;
  function pose() {
    answers = moving.leftOut(query, records.values);
    sensitivity = moving.globalSensitivity(query, records.values);
    const low = Math.min(...answers),
      high = Math.max(...answers),
      margin = 2 * (high - low) || 1;
    left.range = [low - margin, high + margin];
    left.right = 10 + 8 * Math.max(...records.missing.map((words) => brief(words).length));
    const width = high - low + 2 * margin;
    left.xLabel = `output, ${records.unit ? `${query} of the days of absence` : `noisy ${query}`}`;
    output.reset({
      value: (5 * high + low) / 6,
      step: width / 300,
      from: left.range[0],
      to: left.range[1],
    });
  }

  const rate = (e) => e / (sensitivity || 1);
  const bounds = {
    tight: (e) => moving.tightBound(answers, { rate: rate(e) }),
    upper: (e) => moving.upperBound(answers, { rate: rate(e) }),
  };
  const beliefs = (x, e) => moving.posterior(answers, x, { rate: rate(e) });
  const sure = (x, e) => Math.max(...beliefs(x, e));

  // Up to which epsilon a bound keeps the accepted risk, and in words.
  const crossing = (bound) => moving.epsilonFromRisk(bound, accepted.value);
  const upTo = (e) =>
    Number.isFinite(e) ? `ε = ${(Math.floor(e * 1e4) / 1e4).toFixed(4)}` : `${e} ε`;

  // The name of each line at its right end, a row below the other.
  function nameEnds(end, kinds) {
    const ends = records.missing.map((words, i) => ({
      words: brief(words),
      kind: kinds[i],
      at: left.y(end[i]),
    }));
    ends.sort((a, b) => a.at - b.at);
    ends.forEach((row, i) => (row.at = Math.max(row.at, i ? ends[i - 1].at + 15 : 0)));
    let lowest = left.y(0) - 9;
    for (const { words, kind, at } of ends.toReversed()) {
      const y = Math.min(at, lowest);
      lowest = y - 15;
      left.add("text", { class: kind, x: left.width - left.right + 5, y: y + 5 }, words);
    }
  }

  function drawBeliefs(e, reached, worst) {
    const { missing } = records,
      [from, to] = left.range,
      kinds = answers.map((_, i) => ["one", "two", "three", "four"][i % 4]);
    left.frame();
    const steps = Array.from({ length: 301 }, (_, k) => from + ((to - from) * k) / 300);
    const grid = [...steps, ...answers].sort((a, b) => a - b);
    left.across(reached, "mark");
    const lines = grid.map((x) => beliefs(x, e));
    answers.forEach((_, i) =>
      left.line(
        grid.map((x, k) => [x, lines[k][i]]),
        kinds[i],
      ),
    );
    nameEnds(lines.at(-1), kinds);
    left.dot(answers[worst], reached, kinds[worst], 7);
    left.text(answers[worst], reached, `worst: ${missing[worst]}, ${percent(reached)}`, {
      kind: `${kinds[worst]} value`,
      anchor: "middle",
      dy: -12,
    });
    const here = sure(output.value, e);
    left.dot(output.value, here, "", 5);
    output.place(left.y(0), left.y(here));
  }

  function drawRisk(e, reached) {
    const risk = accepted.value,
      most = right.range[1],
      curve = Array.from({ length: 251 }, (_, k) => (k * most) / 250);
    right.frame();
    right.across(risk, "mark");
    // away from the upright line of ε
    const isLate = e > most / 2,
      place = isLate ? [0.2 * most, "start"] : [most, "end"];
    right.text(place[0], risk, `accepted ${wordsOf(risk)}`, {
      anchor: place[1],
      dy: risk < 0.25 ? -6 : 17,
    });
    const drawn = (bound, places, kind) =>
      right.line(
        places.map((at) => [at, bound(at)]),
        kind,
      );
    drawn(bounds.upper, curve, "two");
    drawn(bounds.tight, curve, "later");
    drawn(bounds.tight, [...curve.filter((at) => at < e), e], "one");
    right.text(most, 1, "upper bound", { kind: "two", anchor: "end", dy: -6 });
    right.dot(e, reached, "one", 7);
    // below the point, where no curve is, and below the line of what is accepted
    const isClose = reached > risk && right.y(risk) - right.y(reached) < 30;
    right.text(e, isClose ? risk : reached, percent(reached), {
      kind: "one",
      anchor: e > 0.8 * most ? "end" : "start",
      dx: e > 0.8 * most ? -10 : 10,
      dy: e > 0.8 * most ? 30 : 20,
    });
    epsilon.place(right.y(0), right.y(reached));
  }

  function draw() {
    const e = epsilon.value,
      { missing, unit } = records,
      reached = bounds.tight(e),
      upper = bounds.upper(e),
      before = 1 / answers.length,
      limits = { tight: crossing(bounds.tight), upper: crossing(bounds.upper) },
      worst = answers.findIndex((answer) => sure(answer, e) >= reached - 1e-12),
      after = beliefs(output.value, e),
      here = Math.max(...after),
      most = missing.filter((_, i) => after[i] > here - 1e-9);
    const odds = (reached * (1 - before)) / (before * (1 - reached));
    drawBeliefs(e, reached, worst);
    drawRisk(e, reached);
    stage.says(
      `At ε = ${e.toFixed(2)} the worst output takes her from ${percent(before)} to ` +
        `${percent(reached)} sure that ${missing[worst]} is missing (odds × ${+odds.toPrecision(3)}; ` +
        `upper bound ${percent(upper)}), which ${reached <= accepted.value ? "keeps" : "breaks"} ` +
        `the accepted ${wordsOf(accepted.value)}. It is kept up to ${upTo(limits.tight)}, and by the ` +
        `upper bound up to ${upTo(limits.upper)}. After ${short(output.value)}${unit} she is ` +
        `${percent(here)} sure of ${most.join(", and of ")}.`,
      {
        query,
        answers,
        sensitivity,
        epsilon: e,
        output: output.value,
        worst: reached,
        upper,
        here,
        risk: accepted.value,
        crossing: limits.tight,
        upperCrossing: limits.upper,
      },
    );
  }

  pose();
  return draw;
});
