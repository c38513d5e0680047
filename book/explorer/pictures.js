// Pictures of an answer: two scales side by side, twenty answers that could be published, each as
// likely as the others, and squares of a hundred beliefs.
((x) => {
  "use strict";
  const DOTS = 20,
    SIZE = 4, // the radius of a dot
    MOST = 4, // answers that are drawn
    NAMED = 12, // and named after them
    CELL = 9,
    WIDE = 10 * CELL; // a square of a hundred
  // Quantiles of Laplace noise of scale 1: the outermost two stand at the 95% error.
  const NOISE = Array.from({ length: DOTS }, (_, i) => {
    const place = (i + 0.5) / DOTS - 0.5;
    return -Math.sign(place) * Math.log(1 - 2 * Math.abs(place));
  });
  const caption = (words) => x.el("p", { class: "x-caption" }, words),
    line = (name, left, right, y, bottom = y) =>
      x.svg("line", { class: name, x1: left, x2: right, y1: y, y2: bottom }),
    text = (words, left, y, anchor = "start") =>
      x.svg("text", { x: left, y, "text-anchor": anchor }, words),
    picture = (name, width, height, words, ...nodes) =>
      x.svg(
        "svg",
        { class: name, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words },
        ...nodes,
      );

  // A picture for each of the first rows { statistic, scale, error, answer }, by group for the first
  // alone; of the others the errors.
  x.dots = (parent, rows, how, by) => {
    const width = Math.max(240, Math.min(parent.clientWidth || 320, 640)),
      drawn = rows.filter(({ error, answer }) => error > 0 && Number.isFinite(answer)),
      most = by ? 1 : MOST,
      strips = drawn.slice(0, most).map((row) => strip(row, width, how)),
      others = drawn.slice(most, most + NAMED).map(({ statistic, of, inGroup, error }) => {
        const name = by && of === by ? inGroup : x.named(statistic);
        return `${x.fit(name, 40)}\u00a0${within(error, how)}`;
      }),
      more = drawn.length - most - NAMED;
    const title = "Twenty answers that could be published, around the answer after cutting";
    parent.replaceChildren(...(drawn.length ? [caption(title)] : []), ...strips);
    if (more > 0) others.push(`${more} more on the sheet`);
    if (others.length) parent.append(caption(`And: ${others.join("; ")}`));
  };
  const within = (error, how) => `±\u00a0${x.withSigns(error, how)}`;
  function strip({ statistic, scale, error }, width, how) {
    const middle = width / 2,
      half = 1.25 * error,
      at = (noise) => middle + (noise / half) * (middle - 24),
      floor = 78,
      piles = new Map(),
      noise = x.withSigns(error, how),
      label = within(error, how);
    const dots = NOISE.map((quantile) => {
      const left = middle + 2 * SIZE * Math.round((at(quantile * scale) - middle) / (2 * SIZE)),
        high = piles.get(left) ?? 0;
      piles.set(left, high + 1);
      const bottom = floor - 2 - SIZE - 2 * SIZE * Math.min(high, 6);
      return x.svg("circle", { class: "x-dot", cx: left, cy: bottom, r: SIZE });
    });
    const room = Math.floor((width - 9 * label.length) / 8.5);
    return picture(
      "x-strip",
      width,
      102,
      `${x.named(statistic)}: twenty answers that could be published, around the answer; the ` +
        `outermost are ${noise} away.`,
      line("x-band", at(-error), at(error), floor),
      line("x-true", middle, middle, 22, floor + 5),
      ...dots,
      line("x-axis", 12, width - 12, floor + 5),
      text(x.fit(x.named(statistic), room), 0, 13),
      text(label, width, 13, "end"),
      text("the answer", middle, floor + 21, "middle"),
    );
  }

  // Three suspicions as squares of 100: those that there were, and those that there may be.
  x.people = (parent, beliefs) => {
    const squares = beliefs.flatMap(([before, after], place) => {
      const left = place * (WIDE + 24);
      const cells = Array.from({ length: 100 }, (_, i) =>
        x.svg("rect", {
          class: i < before ? "x-were" : i < after ? "x-become" : "x-rest",
          x: left + (i % 10) * CELL,
          y: Math.floor(i / 10) * CELL,
          width: CELL - 2,
          height: CELL - 2,
        }),
      );
      return [...cells, text(`${before} → ${after}`, left + WIDE / 2, WIDE + 15, "middle")];
    });
    const words = beliefs.map(([before, after]) => `${before} may become ${after}`).join(", ");
    parent.replaceChildren(
      caption("What a reader may come to believe: so many of 100 become, at most"),
      picture("x-people", 3 * WIDE + 48, WIDE + 22, `Of 100, at most: ${words}.`, ...squares),
    );
  };

  // Two scales: how far the noise reaches on the range that an answer has, and what a belief of 10%
  // becomes.
  x.scales = (parent, { error, low, high, about, of, odds }, how) => {
    const { after, of100 } = window.dpchoose,
      [noise, from, to] = [error, low, high].map((value) => x.withSigns(value, how)),
      width = Math.max(130, Math.min(400, (parent.clientWidth || 640) / 2 - 24)),
      at = (share) => 8 + Math.min(Math.max(share, 0), 1) * (width - 16);
    const scale = (title, value, [start, end], ends, words) =>
      x.el(
        "figure",
        { class: "x-scale" },
        x.el("figcaption", {}, x.el("span", {}, title), x.el("strong", {}, value)),
        picture(
          "",
          width,
          44,
          words,
          line("x-track", 8, width - 8, 14),
          line("x-reach", at(start), Math.max(at(end), at(start) + 2), 14),
          text(ends[0], 8, 40),
          text(ends[1], width - 8, 40, "end"),
        ),
      );
    const share = error / (high - low),
      belief = after(0.1, odds),
      becomes = odds === Infinity ? "certain" : `${of100(belief)}%`;
    parent.replaceChildren(
      scale(
        `Noise within, in 95 of 100 draws${of}`,
        `${about}±\u00a0${noise}`,
        [0.5 - share, 0.5 + share],
        [from, to],
        `Noise within ${noise} in 95 of 100 draws, where the answer lies in ${from} to ${to}.`,
      ),
      scale(
        "A guess at one person grows to, at most",
        `10% → ${becomes}`,
        [0.1, belief],
        ["0%", "100%"],
        `A belief of 10% becomes at most ${becomes}.`,
      ),
    );
  };
})(window.explorer);
