// One pupil moves along the axis; the mean follows as far as she goes, the median no farther than
// its neighbours.
moving("one-record", (stage, { names, days }) => {
  const END = 20,
    last = days.length - 1,
    who = names[last];
  const ask = { mean: moving.mean, median: moving.median };
  const at = (x) => [...days.slice(0, last), x];
  const ends = Object.fromEntries(
    Object.entries(ask).map(([query, f]) => [query, [f(at(0)), f(at(END))]]),
  );
  stage.title(`${who} alone can carry the mean away, and the median only to the next pupils`);
  stage.hint(
    `Drag ${who}, who was absent for ${days[last]} days. The bars show how far each answer can ` +
      `be moved by ${who} alone.`,
  );

  const plot = stage.plot({
    height: 250,
    label: "Days of absence of the pupils, with their mean and their median",
    x: [0, END],
    y: [0, 3.2],
    top: 52,
    left: 14,
    right: 18,
    xLabel: "days of absence",
  });
  const pupil = plot.handle({
    label: who,
    value: days[last],
    step: 1,
    text: (v) => `${v} days`,
    moved: () => draw(),
    kind: "one",
  });

  function draw() {
    const now = Object.fromEntries(
      Object.entries(ask).map(([query, f]) => [query, f(at(pupil.value))]),
    );
    plot.frame();
    plot.across(3, "axis");
    days.slice(0, last).forEach((day, i) => {
      plot.dot(day, 3, "", 7);
      plot.text(day, 3, names[i], {
        anchor: "middle",
        dy: -14 - 17 * (plot.width < 500 ? i : i % 2),
      });
    });
    plot.text(pupil.value, 3, who, {
      kind: "one value",
      anchor: "middle",
      dy: pupil.value < 5 ? 28 : -16,
    });
    Object.entries(now).forEach(([query, value], i) => {
      const row = 1.75 - i,
        kind = ["two", "three"][i];
      plot.across(row, `band ${kind}`, ends[query]);
      plot.up(value, "fall", [row, 3]);
      plot.dot(value, row, kind, 8);
      plot.text(Math.max(ends[query][1], value), row, `${query} ${value.toFixed(2)}`, {
        kind: `value ${kind}`,
        dx: 14,
        dy: 5,
      });
    });
    pupil.place(plot.y(3));
    const moved = Object.fromEntries(
      Object.entries(ask).map(([query, f]) => [query, now[query] - f(days)]),
    );
    const far = (query) => Math.abs(moved[query]).toFixed(2);
    const away = Math.abs(pupil.value - days[last]);
    stage.says(
      `With ${who} at ${pupil.value} days the mean is ${now.mean.toFixed(2)} and the median ` +
        `${now.median.toFixed(2)}. ` +
        (away
          ? `${who} has moved by ${away} days, the mean by ${far("mean")} and the median by ` +
            `${far("median")}.`
          : `${who} has not moved yet, and so neither have the mean and the median.`),
      { at: pupil.value, ...now, ends, moved },
    );
  }
  return draw;
});
