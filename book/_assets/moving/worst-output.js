// The beliefs after every output, whose highest point is one point of the risk against epsilon.
moving("worst-output", (stage, { missing, answers, sensitivity, risk, accepted, ...start }) => {
  const { percent } = moving;
  const END = 5, worst = (epsilon) => dpchoose.tightBound(answers, { rate: epsilon / sensitivity });
  const beliefs = (x, epsilon) => dpchoose.posterior(answers, x, { rate: epsilon / sensitivity });
  const sure = (x, epsilon) => Math.max(...beliefs(x, epsilon));
  const kinds = ["one", "two", "three", "four"];
  const crossing = (() => { // where the accepted risk is reached
    let [low, high] = [0, END];
    for (let i = 0; i < 60; i++) (worst((low + high) / 2) <= risk) ? (low = (low + high) / 2) : (high = (low + high) / 2);
    return low;
  })();
  const name = (v) => `${Math.round(100 * v)}%`;
  stage.title("The worst output at each ε draws the curve of the risk");
  stage.hint("Drag ε along the second axis and watch the highest point of the first plot. Drag an output along the first: none does worse.");

  const left = stage.plot({ height: 290, label: "Belief in each world after each output", x: [-4, 11], y: [0, 1], xLabel: "output, days of absence",
    yLabel: "belief that this pupil is missing", yName: name, left: 52 });
  const right = stage.plot({ height: 290, label: "Risk against epsilon", x: [0, END], y: [0, 1], xLabel: "ε",
    yLabel: "belief after the worst output", yName: name, left: 52 });
  const output = left.handle({ label: "Output", value: 4.5, step: 0.05, text: (v) => `${v.toFixed(2)} days`, moved: () => draw() });
  const epsilon = right.handle({ label: "Epsilon", value: start.epsilon, step: 0.02, from: 0.02, text: (v) => `ε = ${v.toFixed(2)}`, moved: () => draw(), kind: "one" });

  function draw() {
    const e = epsilon.value, reached = worst(e), here = sure(output.value, e);
    const peak = answers.find((answer) => sure(answer, e) >= reached - 1e-12);
    left.frame();
    const grid = [...Array.from({ length: 301 }, (_, k) => -4 + k / 20), ...answers].sort((a, b) => a - b);
    left.line([[left.range[0], reached], [left.range[1], reached]], "mark");
    const lines = grid.map((x) => beliefs(x, e));
    answers.forEach((_, i) => left.line(grid.map((x, k) => [x, lines[k][i]]), kinds[i]));
    left.text(left.range[0], reached, missing[0], { kind: "one", dx: 6, dy: -8 });
    const end = lines.at(-1), below = reached < 0.5;
    left.text(left.range[1], below ? Math.min(...end) : Math.max(...end), missing.slice(1).join(", "), { anchor: "end", dy: below ? 20 : -10 });
    left.dot(peak, reached, "one", 7);
    left.text(peak, reached, `worst: ${percent(reached)}`, { kind: "one value", ...(reached > 0.9 ? { dx: 34, dy: 20 } : { dx: 6, dy: -12 }) });
    left.dot(output.value, here, "", 5);
    output.place(left.y(0), left.y(here));

    right.frame();
    const curve = Array.from({ length: 251 }, (_, k) => (k * END) / 250);
    right.line([[0, risk], [END, risk]], "mark");
    right.text(END, risk, `accepted: ${accepted}, up to ε = ${(Math.floor(crossing * 1000) / 1000).toFixed(3)}`, { anchor: "end", dy: 17 });
    right.line(curve.map((at) => [at, worst(at)]), "later");
    right.line([...curve.filter((at) => at < e), e].map((at) => [at, worst(at)]), "one");
    right.dot(e, reached, "one", 7);
    right.text(e, reached, percent(reached), { kind: "one", anchor: e > 3.6 ? "end" : "start", dx: e > 3.6 ? -4 : 10, dy: e > 3.6 ? -12 : 16 });
    epsilon.place(right.y(0), right.y(reached));

    stage.says(
      `At ε = ${e.toFixed(2)} the worst output makes her ${percent(reached)} sure that ${missing[answers.indexOf(peak)]} is missing, `
        + `which ${reached <= risk ? "keeps" : "breaks"} the accepted ${accepted}. `
        + `After ${output.value.toFixed(2)} days she is ${percent(here)} sure of ${missing[beliefs(output.value, e).indexOf(here)]}.`,
      { epsilon: e, output: output.value, worst: reached, here, crossing });
  }
  return draw;
});
