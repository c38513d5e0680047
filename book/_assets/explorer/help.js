// What every part of the explorer writes and draws with. A name or a label out of a file is text wherever it
// stands: it goes through textContent, and nothing here makes markup of a string.
window.explorer = {};
((x) => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";

  const set = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children.map((child) => (child instanceof Node ? child : String(child))));
    return node;
  };
  x.el = (name, attributes = {}, ...children) => set(document.createElement(name), attributes, children);
  x.svg = (name, attributes = {}, ...children) => set(document.createElementNS(SVG, name), attributes, children);

  // The options of a select, [value, words] each; what was chosen stays chosen where it is still offered.
  x.offer = (select, options, chosen = select.value) => {
    select.replaceChildren(...options.map(([value, words]) => new Option(words, value)));
    select.value = options.some(([value]) => value === chosen) ? chosen : (options[0] ?? [""])[0];
  };

  // A risk as it is written, 1/3 or 0.33, as a number; NaN for what is none.
  x.risk = (text) => {
    const found = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(text);
    const value = found ? found[1] / found[2] : /^\s*(\d+\.?\d*|\.\d+)(e-?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
    return value > 0 && value < 1 ? value : NaN;
  };

  // A risk that was dragged to: two digits of it, or of what is left to 1.
  x.rounded = (risk) => {
    if (Math.abs(Math.log(3 * risk)) < 0.012) return "1/3";
    const near = risk < 0.9 ? Number(risk.toPrecision(2)) : 1 - Number((1 - risk).toPrecision(2));
    return String(Number(near.toPrecision(15)));
  };

  x.logOdds = (risk) => Math.log(risk / (1 - risk));
  x.fromLogOdds = (odds) => 1 / (1 + Math.exp(-odds));
  x.count = (number) => number.toLocaleString("en");
  x.percent = (risk) => `${Number((100 * risk).toPrecision(3))}%`;

  // As much of a text as there is room for, in pixels.
  x.fit = (words, room) => {
    const most = Math.max(4, Math.floor(room / 8.5));
    return words.length <= most ? words : `${words.slice(0, most - 1)}…`;
  };

  // A number on an axis: as many digits as tell it from its neighbour.
  x.tick = (value, step) => {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e7 || size < 1e-5) return value.toExponential(Math.max(0, Math.round(Math.log10(size / step))));
    const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  };

  // Round numbers between two others, some `most` of them at most.
  x.ticks = (from, to, most) => {
    const power = 10 ** Math.floor(Math.log10((to - from) / most));
    const step = [1, 2, 5, 10].map((n) => n * power).find((s) => (to - from) / s <= most);
    const first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
    return Array.from({ length: last - first + 1 }, (_, i) => [(first + i) * step, step]);
  };
})(window.explorer);
