// Which adversary: what somebody believes before, and what the worst output can make of it at the
// same noise.
moving("priors", (stage, { missing, answers, sensitivity, epsilon, risk, accepted, ...start }) => {
  const { percent } = moving;
  const kinds = ["one", "two", "three", "four"];
  const rate = epsilon / sensitivity;
  let prior = [...start.prior];
  stage.title(
    "The noise stays the same. How sure an output can make her depends on what she believed before",
  );
  stage.hint(
    "Drag what she believes before the output: the other three share the rest. The noise keeps " +
      `${accepted} for even beliefs.`,
  );

  const plot = stage.plot({
    height: 236,
    label: "Belief before and after the worst output",
    x: [0, 1],
    y: [0, missing.length],
    left: 50,
    right: 128,
    top: 24,
    name: moving.whole,
    xLabel: "belief before ○, and at most after ●",
  });
  const sliders = missing.map((name, i) =>
    stage.slider({
      label: `${name}, before`,
      value: prior[i],
      from: 0,
      to: 1,
      even: true,
      text: (v) => percent(v),
      moved: () => {
        share(i);
        draw();
      },
    }),
  );
  stage.button("Everybody equally likely", () => {
    prior = prior.map(() => 1 / prior.length);
    tell();
    draw();
  });

  // One belief was set; the others keep their proportions.
  function share(set) {
    const chosen = sliders[set].value;
    const others = prior.reduce((total, p, i) => total + (i === set ? 0 : p), 0);
    prior = prior.map((p, i) =>
      i === set
        ? chosen
        : others > 0
          ? (p / others) * (1 - chosen)
          : (1 - chosen) / (prior.length - 1),
    );
    tell();
  }
  function tell() {
    sliders.forEach((slider, i) => slider.set(prior[i]));
  }

  function draw() {
    const after = answers.map((answer, i) => moving.posterior(answers, answer, { rate, prior })[i]);
    const most = after.indexOf(Math.max(...after));
    plot.frame();
    plot.up(risk, "mark");
    plot.above(risk, `accepted: ${accepted}`);
    missing.forEach((name, i) => {
      const row = missing.length - i - 0.5;
      plot.across(row, `reach ${kinds[i]}`, [prior[i], after[i]]);
      plot.dot(prior[i], row, "hollow", 5);
      plot.dot(after[i], row, kinds[i], 7);
      const beliefs = `${percent(prior[i])} → ${percent(after[i])}`;
      plot.row(row, name, beliefs, i === most ? "value" : "");
    });
    const held = after[most] <= risk + 1e-12;
    const grown = (after[most] * (1 - prior[most])) / (prior[most] * (1 - after[most]));
    stage.says(
      `The worst output makes her ${percent(after[most])} sure that ${missing[most]} is ` +
        `missing, from ${percent(prior[most])} ` +
        `before${grown >= 1 ? ` (× ${+grown.toPrecision(3)})` : ""}: ` +
        `${held ? "no more than" : "more than"} the ${accepted} that this noise was chosen for.`,
      { prior, after, risk: after[most] },
    );
  }
  return draw;
});
