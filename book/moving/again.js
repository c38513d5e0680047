// Several answers: the same answer published again and again, each time with fresh noise for the
// same factor.
moving("again", (stage, { suspicions, times: most, ...start }) => {
  const kinds = ["two", "three", "one"];
  const after = (before, factor) => (before * factor) / (1 - before + before * factor);
  // So many of 100, rounded up; a finite factor never makes it 100.
  const of100 = (share, unit = 1) => {
    const up = Math.ceil(100 * share * unit - 1e-9) / unit;
    return up < 100 ? up : of100(share, 10 * unit);
  };
  const shown = (factor) =>
    factor >= 1e6
      ? "over a million"
      : factor < 100
        ? String(+factor.toPrecision(3))
        : Math.round(factor).toLocaleString("en");
  const often = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);
  stage.title("Every further answer counts, and so does the same one again");
  stage.hint("Drag how often the answer is published, or the factor of each of the answers.");

  const plot = stage.plot({
    height: 300,
    label: "What suspicions may become",
    x: [0, most],
    y: [0, 1],
    xLabel: "times that the answer is published",
    yLabel: "after, at most",
    yName: moving.whole,
    left: 52,
    right: 24,
    top: 46,
  });
  const times = plot.handle({
    label: "Times that the answer is published",
    value: most,
    step: 1,
    from: 1,
    text: often,
    moved: () => draw(),
  });
  const factor = stage.slider({
    label: "Factor of each answer",
    value: start.factor,
    from: 1.05,
    to: 3,
    steps: 39,
    even: true,
    text: (v) => `× ${v}`,
    moved: () => draw(),
  });

  function draw() {
    const k = times.value,
      together = factor.value ** k,
      reached = suspicions.map((before) => after(before, together));
    const grown = suspicions.map((before, i) => `${of100(before)} may become ${of100(reached[i])}`);
    plot.frame();
    suspicions.forEach((before, i) => {
      const all = Array.from({ length: most + 1 }, (_, n) => [n, after(before, factor.value ** n)]);
      plot.line(all, "later");
      plot.line(all.slice(0, k + 1), `${kinds[i]} solid`);
      plot.dot(k, reached[i], kinds[i], 6);
      const [n, at] = all[Math.max(1, Math.round(i ? most / 6 : most / 2))];
      plot.text(n, at, `${of100(before)} of 100`, { kind: `${kinds[i]} value`, dx: 8, dy: 16 });
    });
    times.place(plot.y(0), plot.y(reached.at(-1)));
    stage.says(
      `Published ${often(k)}, the answers have the factor ${shown(together)} together: of 100, ` +
        `${grown.join(", ")}, at most.`,
      { times: k, factor: factor.value, after: reached },
    );
  }
  return draw;
});
