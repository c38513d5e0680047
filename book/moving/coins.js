// Randomized response: two hundred people toss their coins one after another, and the estimate
// settles.
moving("coins", (stage, { respondents, truths, seed, ...start }) => {
  const { percent, still, clamp } = moving;
  const COLUMNS = 20,
    ROWS = respondents / COLUMNS,
    truth = truths / respondents;
  let tosses = [],
    survey = seed,
    frame = 0;
  stage.title("No single answer can be trusted; the estimate nears the truth");
  stage.hint(
    "Ask everybody again, or change the coins. A filled square said yes, a ring means that the " +
      "truth is yes: only the respondent knows that. The code above tosses other coins.",
  );

  const people = stage.plot({
    height: 250,
    label: "Answers of the respondents",
    x: [0, COLUMNS],
    y: [0, ROWS],
    left: 6,
    right: 6,
    top: 24,
    bottom: 12,
  });
  const plot = stage.plot({
    height: 250,
    label: "Estimate against the number of people asked",
    x: [0, respondents],
    y: [-0.2, 0.8],
    left: 52,
    xLabel: "people asked",
    yLabel: "estimated share of yes",
    yName: moving.whole,
  });
  const asked = stage.slider({
    label: "People asked",
    value: respondents,
    from: 1,
    to: respondents,
    steps: respondents - 1,
    even: true,
    text: (v) => `${v}`,
    moved: () => {
      cancelAnimationFrame(frame);
      draw();
    },
  });
  const epsilon = stage.slider({
    label: "Coins",
    value: start.epsilon,
    from: 0.1,
    to: 5,
    text: (v) => `${percent(moving.randomizedResponse(v).truth, 0)} true, ε = ${+v.toFixed(3)}`,
    moved: () => draw(),
  });
  stage.button("Ask them all again", () => {
    survey += 1;
    toss();
    play();
  });

  // Mulberry32: a small generator, so that a survey can be had again.
  function toss() {
    let state = survey >>> 0;
    const uniform = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    const order = Array.from({ length: respondents }, (_, i) => [uniform(), i < truths]).sort(
      (a, b) => a[0] - b[0],
    );
    tosses = order.map(([, yes]) => ({ yes, first: uniform(), second: uniform() < 0.5 }));
  }

  function play() {
    cancelAnimationFrame(frame);
    if (still()) return draw(asked.set(respondents));
    const began = performance.now();
    const step = (now) => {
      asked.set(Math.round(clamp(((now - began) / 4000) * respondents, 1, respondents)));
      draw();
      if (asked.value < respondents) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }

  function draw() {
    const e = epsilon.value,
      n = asked.value,
      response = moving.randomizedResponse(e),
      heads = 2 * (1 - response.truth);
    const said = tosses.map(({ yes, first, second }) => (first < heads ? second : yes));
    const band = [];
    let yes = 0;
    const path = said.slice(0, n).map((answer, i) => {
      yes += answer;
      const share = yes / (i + 1),
        estimate = response.estimate(share);
      band.push([i + 1, estimate, response.uncertainty(share, i + 1)]);
      return [i + 1, estimate];
    });
    const [, estimate, about] = band.at(-1);

    people.blank();
    people.add("text", { x: 0, y: 14 }, `${yes} of ${n} said yes`);
    const wide = Math.min(people.x(1) - people.x(0), people.y(0) - people.y(1)) - 4;
    said.forEach((answer, i) => {
      const x = people.x(i % COLUMNS) + 2,
        y = people.y(ROWS - Math.floor(i / COLUMNS)) + 2;
      people.add("rect", {
        class: `person ${i >= n ? "waits" : answer ? "yes" : "no"}`,
        x,
        y,
        width: wide,
        height: wide,
      });
      if (tosses[i].yes)
        people.add("circle", { class: "truth", cx: x + wide / 2, cy: y + wide / 2, r: wide * 0.3 });
    });

    plot.frame();
    plot.inside(() => {
      plot.area(
        [
          ...band.map(([i, middle, half]) => [i, middle + half]),
          ...band.map(([i, middle, half]) => [i, middle - half]).reverse(),
        ],
        "two",
      );
      plot.line(path, "two solid");
    });
    plot.across(truth, "mark");
    plot.text(respondents, truth, `truth: ${percent(truth, 0)}`, { anchor: "end", dy: -8 });
    if (estimate >= plot.reach[0] && estimate <= plot.reach[1]) plot.dot(n, estimate, "two", 6);
    stage.says(
      `${n} people asked, ${yes} said yes (${percent(yes / n)}): the estimate is ` +
        `${percent(estimate)}, give or take ${percent(about).slice(0, -1)} percentage points; the truth is ` +
        `${percent(truth, 0)}. ` +
        `A yes comes from a true yes in ${percent(response.risk(truth), 0)} of the cases.`,
      { epsilon: e, asked: n, yes, estimate, uncertainty: about, survey },
    );
  }
  toss();
  return draw;
});
