// Twenty answers that could be published, each as likely as the others, around the true one. The outermost two
// stand at the 95% error: noise goes farther once in twenty times.
((x) => {
  "use strict";
  const DOTS = 20, SIZE = 4, MOST = 6;
  const ROUND = [1, 2, 5, 10];

  // Quantiles of Laplace noise of scale 1.
  const NOISE = Array.from({ length: DOTS }, (_, i) => {
    const far = (i + 0.5) / DOTS - 0.5;
    return -Math.sign(far) * Math.log(1 - 2 * Math.abs(far));
  });

  // Half the width of the axis: a round number that holds the dots, and stays while they move a little.
  function reach(half) {
    const power = 10 ** Math.floor(Math.log10(half * 1.15));
    return ROUND.map((n) => n * power).find((n) => n >= half * 1.15);
  }

  // A picture for each row { statistic, noiseScale, halfWidth, centre, error }; the rest are in the table.
  x.dots = (parent, rows) => {
    const width = Math.max(280, parent.clientWidth);
    const drawn = rows.filter((row) => row.noiseScale > 0 && Number.isFinite(row.noiseScale));
    parent.replaceChildren(...drawn.slice(0, MOST).map((row) => strip(row, width)));
    if (drawn.length > MOST) parent.append(x.el("p", {}, `and ${drawn.length - MOST} more in the table below`));
  };

  function strip(row, width) {
    const half = reach(row.halfWidth), centre = row.centre;
    const at = (noise) => width / 2 + (noise / half) * (width / 2 - 24);
    const stacks = [];
    const dots = NOISE.map((noise) => {
      const left = at(noise * row.noiseScale);
      const stack = stacks.find((one) => Math.abs(one.left - left) < 2 * SIZE) ?? stacks[stacks.push({ left, high: 0 }) - 1];
      return { left: stack.left, high: stack.high++ };
    });
    const tall = Math.max(...stacks.map((one) => one.high)), step = Math.min(2 * SIZE, 56 / tall), floor = 84;
    const nodes = [
      x.svg("line", { class: "x-band", x1: at(-row.halfWidth), x2: at(row.halfWidth), y1: floor, y2: floor }),
      x.svg("line", { class: "x-true", x1: at(0), x2: at(0), y1: 20, y2: floor + 5 }),
      ...dots.map(({ left, high }) => x.svg("circle", { class: "x-dot", cx: left, cy: floor - 2 - SIZE - high * step, r: SIZE })),
      x.svg("line", { class: "x-axis", x1: 12, x2: width - 12, y1: floor + 5, y2: floor + 5 }),
      x.svg("text", { x: 0, y: 13, class: "x-value" }, x.fit(x.named(row.statistic), width - 9 * row.error.length - 40)),
      x.svg("text", { x: width, y: 13, "text-anchor": "end" }, `± ${row.error}`),
    ];
    for (const [value, step_] of x.ticks(centre - half, centre + half, width / (24 + 9 * x.tick(centre, half / 3).length))) {
      const words = x.tick(value, step_), room = 4.5 * words.length, left = at(value - centre);
      if (left > room && left < width - room) nodes.push(x.svg("text", { x: left, y: floor + 21, "text-anchor": "middle" }, words));
    }
    const words = `${x.named(row.statistic)}: twenty answers that could be published, around ${x.tick(centre, half / 50)}; `
      + `the outermost are ${row.error} off.`;
    return x.svg("svg", { class: "x-strip", viewBox: `0 0 ${width} 108`, role: "img", "aria-label": words }, ...nodes);
  }
})(window.explorer);
