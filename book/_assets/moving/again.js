// Several answers: the same mean published again and again, each time with fresh noise of the same scale.
moving("again", (stage, { answers, shares, records, query, unit, epsilon, sensitivity, risk, accepted, ...start }) => {
  const { percent } = moving;
  const MOST = 12, fade = (rate, a) => answers.reduce((sum, b, i) => sum + shares[i] * Math.exp(-rate * Math.abs(a - b)), 0);
  const rate = (times, noise) => (times * epsilon) / noise / sensitivity;
  const together = (times, noise) => 1 / records / Math.min(...answers.map((answer) => fade(rate(times, noise), answer)));
  const often = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);
  stage.title("Every further answer counts, and so does the same one again");
  stage.hint("Drag how often the answer is published, or give each of the answers more noise.");

  const plot = stage.plot({ height: 300, label: "Risk of all answers together", x: [0, MOST], y: [0, 1], xLabel: "times that the answer is published",
    yLabel: "risk of all answers together", yName: (v) => `${Math.round(100 * v)}%`, left: 52, right: 24, top: 46 });
  const times = plot.handle({ label: "Times that the answer is published", value: start.times, step: 1, from: 1, text: often, moved: () => draw(), kind: "one" });
  const noise = stage.slider({ label: "Scale of the noise", value: 1, from: 1, to: 10, steps: 9, even: true,
    text: (v) => `${v} × ${(1 / rate(1, 1)).toPrecision(3)} ${unit}`, moved: () => draw() });

  function draw() {
    const k = times.value, all = Array.from({ length: MOST }, (_, i) => [i + 1, together(i + 1, noise.value)]);
    const [, reached] = all[k - 1], keeps = reached <= risk * (1 + 1e-9);
    plot.frame();
    plot.line([[0, risk], [MOST, risk]], "mark");
    plot.line(all, "later");
    plot.line(all.slice(0, k), "one");
    all.forEach(([x, y], i) => plot.dot(x, y, i < k ? "one" : "hollow", i === k - 1 ? 7 : 4));
    plot.text(k, reached, percent(reached), { kind: "one value", anchor: k > 1 ? "end" : "start", dx: k > 1 ? -8 : -4, dy: -10 });
    times.place(plot.y(0), plot.y(reached));
    stage.says(
      `Published ${often(k)}, the ${query} tells as much as one answer with noise of scale ${(1 / rate(k, noise.value)).toPrecision(3)}: `
        + `someone may end ${percent(reached)} sure. This ${keeps ? "keeps" : "breaks"} the accepted ${accepted}.`,
      { times: k, noise: noise.value, together: reached });
  }
  return draw;
});
