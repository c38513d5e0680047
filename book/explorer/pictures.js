// Pictures of an answer: two scales side by side, twenty answers that could be published, each as
// likely as the others, and squares of a hundred beliefs.
((x) => {
  "use strict";
  const DOTS = 20,
    SIZE = 4,
    MOST = 4,
    ROUND = [1, 2, 5, 10];

  // Quantiles of Laplace noise of scale 1: the outermost two stand at the 95% error.
  const NOISE = Array.from({ length: DOTS }, (_, i) => {
    const place = (i + 0.5) / DOTS - 0.5;
    return -Math.sign(place) * Math.log(1 - 2 * Math.abs(place));
  });

  // Half the width of the axis: a round number that holds the dots.
  const reach = (half) => {
    const power = 10 ** Math.floor(Math.log10(half * 1.15));
    return ROUND.map((n) => n * power).find((n) => n >= half * 1.15);
  };

  // A picture for each of the first rows { statistic, scale, error, answer }.
  x.dots = (parent, rows) => {
    const width = Math.max(240, Math.min(parent.clientWidth || 320, 640)),
      drawn = rows.filter((row) => row.scale > 0 && Number.isFinite(row.answer));
    parent.replaceChildren(...drawn.slice(0, MOST).map((row) => strip(row, width)));
    if (drawn.length)
      parent.prepend(
        x.el(
          "p",
          { class: "x-caption" },
          "Twenty answers that could be published, around the answer after cutting: for you alone",
        ),
      );
    if (drawn.length > MOST)
      parent.append(
        x.el("p", { class: "x-caption" }, `and ${drawn.length - MOST} more in the table below`),
      );
  };

  function strip({ statistic, scale, error, answer }, width) {
    const half = reach(error),
      at = (noise) => width / 2 + (noise / half) * (width / 2 - 24),
      stacks = [];
    const dots = NOISE.map((noise) => {
      const left = at(noise * scale),
        pile =
          stacks.find((stack) => Math.abs(stack.left - left) < 2 * SIZE) ??
          stacks[stacks.push({ left, high: 0 }) - 1];
      return { left: pile.left, high: pile.high++ };
    });
    const tall = Math.max(...stacks.map(({ high }) => high)),
      step = Math.min(2 * SIZE, 48 / tall),
      floor = 78,
      label = `± ${x.three(error)}`;
    const nodes = [
      x.svg("line", { class: "x-band", x1: at(-error), x2: at(error), y1: floor, y2: floor }),
      x.svg("line", { class: "x-true", x1: at(0), x2: at(0), y1: 22, y2: floor + 5 }),
      ...dots.map(({ left, high }) =>
        x.svg("circle", { class: "x-dot", cx: left, cy: floor - 2 - SIZE - high * step, r: SIZE }),
      ),
      x.svg("line", { class: "x-axis", x1: 12, x2: width - 12, y1: floor + 5, y2: floor + 5 }),
      x.svg(
        "text",
        { x: 0, y: 13, class: "x-value" },
        x.fit(x.named(statistic), Math.floor((width - 9 * label.length) / 8.5)),
      ),
      x.svg("text", { x: width, y: 13, "text-anchor": "end" }, label),
    ];
    for (const [value, words] of x.ticks(
      answer - half,
      answer + half,
      width / (24 + 9 * x.tick(answer, half / 3).length),
    )) {
      const room = 4.5 * words.length,
        left = at(value - answer);
      if (left > room && left < width - room)
        nodes.push(x.svg("text", { x: left, y: floor + 21, "text-anchor": "middle" }, words));
    }
    const words =
      `${x.named(statistic)}: twenty answers that could be published, around ` +
      `${x.tick(answer, half / 50)}; the outermost are ${x.three(error)} off.`;
    return x.svg(
      "svg",
      { class: "x-strip", viewBox: `0 0 ${width} 102`, role: "img", "aria-label": words },
      ...nodes,
    );
  }

  // Three suspicions as squares of 100: those that there were, and those that there may be.
  x.people = (parent, pairs) => {
    const CELL = 9,
      WIDE = 10 * CELL;
    const squares = pairs.map(([before, after], place) => {
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
      return x.svg(
        "g",
        {},
        ...cells,
        x.svg(
          "text",
          { x: left + WIDE / 2, y: WIDE + 15, "text-anchor": "middle" },
          `${before} → ${after}`,
        ),
      );
    });
    const words =
      "Of 100, at most: " +
      `${pairs.map(([before, after]) => `${before} may become ${after}`).join(", ")}.`;
    parent.replaceChildren(
      x.el(
        "p",
        { class: "x-caption" },
        "What a reader may come to believe: so many of 100 become, at most",
      ),
      x.svg(
        "svg",
        {
          class: "x-people",
          viewBox: `0 0 ${3 * WIDE + 48} ${WIDE + 22}`,
          role: "img",
          "aria-label": words,
        },
        ...squares,
      ),
    );
  };

  // Two scales: how far the noise reaches on the range that an answer has, and what a belief of 10%
  // becomes.
  x.scales = (parent, { error, low, high, about, odds }) => {
    const { after, of100 } = window.dpchoose,
      WIDE = Math.max(130, Math.min(400, (parent.clientWidth || 640) / 2 - 24)),
      belief = odds === Infinity ? 1 : after(0.1, odds);
    const scale = (title, value, from, to, ends, words) => {
      const at = (share) => 8 + Math.min(Math.max(share, 0), 1) * (WIDE - 16);
      const band = { x1: at(from), x2: Math.max(at(to), at(from) + 2), y1: 14, y2: 14 };
      return x.el(
        "figure",
        { class: "x-scale" },
        x.el("figcaption", {}, x.el("span", {}, title), x.el("strong", {}, value)),
        x.svg(
          "svg",
          { viewBox: `0 0 ${WIDE} 44`, role: "img", "aria-label": words },
          x.svg("line", { class: "x-track", x1: 8, x2: WIDE - 8, y1: 14, y2: 14 }),
          x.svg("line", { class: "x-reach", ...band }),
          x.svg("text", { x: 8, y: 40 }, ends[0]),
          x.svg("text", { x: WIDE - 8, y: 40, "text-anchor": "end" }, ends[1]),
        ),
      );
    };
    const share = error / (high - low),
      shown = x.three(error),
      percent = `10% → ${of100(belief)}%`;
    parent.replaceChildren(
      scale(
        "For the reader of the number: noise within",
        `${about}${shown}`,
        0.5 - share,
        0.5 + share,
        [x.three(low), x.three(high)],
        `Noise within ${shown} in 95 of 100 draws, where the answer lies in ${low} to ${high}.`,
      ),
      scale(
        "For the person: a guess about her grows from",
        odds === Infinity ? "10% → certain" : percent,
        0.1,
        belief,
        ["0%", "100%"],
        `A belief of 10% becomes at most ${of100(belief)}%.`,
      ),
    );
  };
})(window.explorer);
