// What leaves the page: the sheet on paper, as dpchoose epsilon --report writes it, a picture to send, and a sentence to hear.
((x) => {
  "use strict";
  const dp = window.dpchoose;
  const today = () => new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

  x.spoken = ({ told }) => told.sentences[0];

  // The parts of the page that dpchoose/command/report.py writes, in its words.
  const NOT_IF = [
    "your record stands or falls with others: for k people the factor is its k-th power;",
    "you have more than one row in this file;",
    "these rows are asked anything else that is not named here: the factors multiply;",
    "the noise is drawn twice, or by a program that is not made for it;",
  ];
  const LIMITS = "the limits were chosen by looking at this file;";
  const WHOLE = "your secret is whether all values are whole numbers: the script draws whole noise then;";
  const PUBLIC = "your secret is that you are in the file, in your group, that a condition is met, or that a value is missing: these count as known.";
  const CLOSES = "The error of an answer is less than its 95% error in 95 of 100 releases; where the noise is drawn in whole numbers it is at most the next whole one. " +
    "The noise is drawn once, and independently for each answer, by the person who signs or by one named here:";

  const times = (value) => (value === Infinity ? "without limit" : dp.factor(value));
  const number = (text) => (Number(text) ? dp.written(Number(text)) : text);

  // What was accepted, and what became of it.
  function verdict({ accepted: { goal, value, before }, status, reason, odds, epsilon }, { situation, hide, by }) {
    const said = `${goal} ${value}${before ? ` from ${before}` : ""}: ${status}${reason ? `, ${reason}` : ""}`;
    const factor = goal !== "odds" && odds < Infinity && !reason.includes(" x ") ? `, factor ${dp.factor(odds)}` : "";
    const total = Number.isFinite(epsilon) ? number(dp.roundDown(epsilon)) : "without limit";
    const of = situation === "everybody" && !hide ? "a record is changed" : "a record comes or goes";
    const apart = by ? " (a person is in one group, so those of groups do not add up)" : "";
    return `${said}${factor}. Epsilon ${total} in total, where ${of}${apart}. Scales, errors, risks and factors are rounded up, epsilons down.`;
  }

  x.sheet = (place, { told, question, file }) => {
    const table = (head, rows) => x.el("table", {}, x.el("tbody", {}, ...[head, ...rows].map(([first, ...rest]) => x.row("th", first, ...rest))));
    const limited = Object.keys(question.limits).length > 0, every = question.situation === "everybody";
    const whole = question.asks.some(({ query }) => query === "sum" || (question.hide && query === "mean"));
    const notIf = [...NOT_IF, ...(every && limited ? [LIMITS, ...(whole ? [WHOLE] : [])] : []), ...(every && !question.hide ? [PUBLIC] : [])];
    const gone = told.dropped && !question.hide ? `, without ${dp.grouped(told.dropped)} that miss a value` : "";
    const scaled = ({ scale, error, epsilon }) => [dp.roundUp(scale), dp.roundUp(error)].map(number).concat(Number.isFinite(epsilon) ? number(dp.roundDown(epsilon)) : "");
    const derived = told.private.derived.map(({ statistic }) => [statistic, "computed", "", ""]);
    const after = [1, 10, 50].map((of) => dp.of100(dp.after(of / 100, told.odds)));
    place.replaceChildren(
      x.el("h2", {}, "Sign or refuse?"), x.el("p", { class: "x-first" }, told.sentences[0]),
      table(["of 100 before", 1, 10, 50], [["of 100 after, at most", ...after]]), x.el("p", {}, verdict(told, question)),
      table(["statistic", "noise scale", "95% error", "epsilon"], [...told.answers.map((one) => [one.statistic, ...scaled(one)]), ...derived]),
      table(["who reads it", "before -> after", "factor"], told.readers.map((one) =>
        [one.reader, `${dp.before(one.before)} -> ${one.exact ? "" : "at most "}${dp.chance(one.after)}`, one.factor < Infinity ? `x ${times(one.factor)}` : times(one.factor)])),
      x.el("h3", {}, "What is assumed"), x.el("p", {}, `The records are the rows of ${file.name}${gone}.`), ...told.sentences.slice(1).map((text) => x.el("p", {}, text)),
      x.el("p", {}, "You are not protected if"), x.el("ul", {}, ...notIf.map((text) => x.el("li", {}, text))), x.el("p", {}, CLOSES),
      x.el("p", { class: "x-sign" }, "Signed or refused, who draws the noise, and the date"), x.el("p", { class: "x-note" }, `${file.name}, ${today()}`));
  };

  // The sheet in the place of the page, black on white, until it is printed.
  x.paper = (place, answer) => {
    const page = document.documentElement, { theme } = page.dataset;
    x.sheet(place, answer);
    if (page.classList.contains("x-reporting")) return;
    page.classList.add("x-reporting");
    page.dataset.theme = "light";
    addEventListener("afterprint", () => {
      page.classList.remove("x-reporting");
      page.dataset.theme = theme;
      place.replaceChildren();
    }, { once: true });
  };

  // The sentence, the date, and dots around an answer that is not told.
  x.save = ({ told, question }) => {
    const WIDE = 1200, TALL = 640, EDGE = 60, canvas = x.el("canvas", { width: WIDE, height: TALL }), pen = canvas.getContext("2d");
    const write = (text, top, font, color, leading) => {
      Object.assign(pen, { font: `${font} system-ui, sans-serif`, fillStyle: color });
      let line = "";
      for (const word of text.split(" ")) {
        if (line && pen.measureText(`${line} ${word}`).width > WIDE - 2 * EDGE) {
          pen.fillText(line, EDGE, top);
          [line, top] = [word, top + leading];
        } else line = line ? `${line} ${word}` : word;
      }
      pen.fillText(line, EDGE, top);
      return top + leading;
    };
    Object.assign(pen, { fillStyle: "#fff" });
    pen.fillRect(0, 0, WIDE, TALL);
    write(told.sentences[0], 90, "600 32px", "#1b1b1b", 46);
    const row = told.answers.find((one) => one.scale > 0), floor = 540;
    if (row) {
      const at = (noise) => WIDE / 2 + (noise / (1.2 * row.error)) * (WIDE / 2 - EDGE), stacks = [];
      Object.assign(pen, { fillStyle: "#0072b2", textAlign: "center" });
      for (const noise of x.NOISE) {
        const left = at(noise * row.scale), stack = stacks.find((one) => Math.abs(one.left - left) < 16) ?? stacks[stacks.push({ left, high: 0 }) - 1];
        pen.beginPath();
        pen.arc(stack.left, floor - 12 - 14 * stack.high++, 8, 0, 2 * Math.PI);
        pen.fill();
      }
      pen.fillStyle = "#666";
      pen.fillRect(EDGE, floor, WIDE - 2 * EDGE, 1);
      Object.assign(pen, { font: "22px system-ui, sans-serif", fillStyle: "#1b1b1b" });
      for (const [words, noise] of [[`− ${x.three(row.error)}`, -row.error], ["the answer", 0], [`+ ${x.three(row.error)}`, row.error]]) pen.fillText(words, at(noise), floor + 30);
      pen.textAlign = "start";
    }
    const inside = question.situation === "known" ? "not for publication; " : "";
    write(`${today()}, dpchoose: ${inside}twenty answers that could be published, each as likely as the others`, TALL - 24, "20px", "#555", 26);
    canvas.toBlob((blob) => {
      const address = URL.createObjectURL(blob);
      x.el("a", { href: address, download: "dpchoose.png" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    });
  };
})(window.explorer);
