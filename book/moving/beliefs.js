// The first chapter's picture: four densities of the noisy mean, and what their heights make her
// believe.
moving("beliefs", (stage, { missing, answers, sensitivity, ...start }) => {
  const { percent } = moving;
  const kinds = ["one", "two", "three", "four"];
  const prior = 1 / answers.length;
  stage.title(
    "The higher a pupil's curve where the answer falls, the surer she is that this one is missing",
  );
  stage.hint(
    "Drag the noisy answer, or change the noise. Each curve shows where the answer tends to " +
      "fall if this pupil is the missing one.",
  );

  const densities = stage.plot({
    height: 300,
    label: "Density of the noisy answer in each world",
    x: [-4, 11],
    y: [0, 1],
    xLabel: "noisy mean of the absence days",
    yLabel: "density, per day",
    left: 44,
  });
  const bars = stage.plot({
    height: 216,
    label: "Belief in each world",
    x: [0, 1],
    y: [0, answers.length],
    left: 50,
    right: 66,
    top: 26,
    name: moving.whole,
    xLabel: "belief that this pupil is missing",
  });
  const output = densities.handle({
    label: "Noisy answer",
    value: start.output,
    step: 0.05,
    text: (v) => `${v.toFixed(2)} days`,
    moved: () => draw(),
  });
  const epsilon = stage.slider({
    label: "Noise",
    value: start.epsilon,
    from: 0.2,
    to: 10,
    text: (v) => `scale ${(sensitivity / v).toFixed(2)} days, ε = ${v}`,
    moved: () => draw(),
  });

  function draw() {
    const rate = epsilon.value / sensitivity;
    const density = (x, answer) => (rate / 2) * Math.exp(-rate * Math.abs(x - answer));
    const heights = answers.map((answer) => density(output.value, answer));
    const belief = moving.posterior(answers, output.value, { rate });

    const peak = rate / 2;
    densities.reach = [0, peak * 1.62];
    densities.frame();
    answers.forEach((answer, i) => {
      const grid = Array.from({ length: 301 }, (_, k) => -4 + k / 20);
      densities.line(
        [...grid, answer].sort((a, b) => a - b).map((x) => [x, density(x, answer)]),
        kinds[i],
      );
    });
    heights.forEach((height, i) => densities.dot(output.value, height, kinds[i]));
    missing.forEach((name, i) => {
      const height = peak * (1.55 - 0.14 * i);
      densities.up(answers[i], `${kinds[i]} fall`, [peak, height]);
      const side = i ? { dx: 5 } : { anchor: "end", dx: -5 };
      densities.text(answers[i], height, name, { kind: kinds[i], dy: 9, ...side });
    });
    output.place(densities.y(0), densities.top);

    bars.frame();
    bars.bars(missing, belief, kinds);
    bars.up(prior, "mark");
    bars.above(prior, `before: ${percent(prior, 0)}`);

    const most = belief.indexOf(Math.max(...belief));
    stage.says(
      `At the noisy answer ${output.value.toFixed(2)} and ε = ${epsilon.value} she is ` +
        `${percent(belief[most])} sure that ${missing[most]} is missing; ` +
        `before, it was ${percent(prior, 0)} for each.`,
      { output: output.value, epsilon: epsilon.value, belief },
    );
  }
  return draw;
});
