// The exponential mechanism: how likely each outcome is to be drawn.
moving("choice", (stage, { outcomes, scores, unit, sensitivity, ...start }) => {
  const { percent } = moving;
  const short = (name) => name.replace("-spouse", "");
  stage.title("More ε, and the draw goes to the one that leads");
  stage.hint(
    `Drag ε. Each score is the number of people in units of ${unit.toLocaleString("en")}, and ` +
      `the sensitivity is set to ${sensitivity} of these.`,
  );
  const plot = stage.plot({
    height: 300,
    label: "Chance of each marital status",
    x: [0, 1],
    y: [0, outcomes.length],
    left: 126,
    right: 66,
    top: 8,
    name: moving.whole,
    xLabel: "chance to be drawn",
  });
  const epsilon = stage.slider({
    label: "ε as written down",
    value: start.epsilon,
    from: 0.01,
    to: 10,
    text: (v) => `ε = ${v}`,
    moved: () => draw(),
  });

  function draw() {
    const chances = moving.choiceProbabilities(scores, { epsilon: epsilon.value, sensitivity });
    const guarantee = epsilon.value / (unit * sensitivity);
    plot.frame();
    plot.bars(outcomes.map(short), chances, ["one", "two"]);
    stage.says(
      `Written as ε = ${epsilon.value}, the draw is ${outcomes[0]} with a chance of ` +
        `${percent(chances[0])} and ${outcomes[1]} with ${percent(chances[1])}. ` +
        `One person moves a score by ${1 / unit}, so the ε that holds is ` +
        `${+guarantee.toPrecision(3)}.`,
      { epsilon: epsilon.value, chances, guarantee },
    );
  }
  return draw;
});
