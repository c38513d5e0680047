// What every part of the page writes and draws with. A name or a label out of a file is text
// wherever it stands: it goes through textContent, and nothing here makes markup of a string.
window.explorer = {};
((x) => {
  "use strict";
  const set = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children.map((child) => (child instanceof Node ? child : String(child))));
    return node;
  };
  x.el = (name, attributes = {}, ...children) =>
    set(document.createElement(name), attributes, children);
  x.svg = (name, attributes = {}, ...children) =>
    set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  // A reader's belief after the answer, and whether it is a bound.
  x.after = ({ exact, after }) => {
    const { chance, fill, words } = window.dpchoose;
    return exact ? chance(after) : fill(words.AT_MOST, { risk: chance(after) });
  };
  x.row = (tag, first, ...rest) =>
    x.el(
      "tr",
      {},
      x.el(tag, tag === "th" ? { scope: "row" } : {}, first),
      ...rest.map((cell) => x.el("td", {}, cell)),
    );

  // The options of a select, [value, words] each.
  x.offer = (select, options, chosen) => {
    select.replaceChildren(...options.map(([value, words]) => new Option(words, value)));
    select.value = options.some(([value]) => value === chosen) ? chosen : (options[0]?.[0] ?? "");
  };
  x.select = (label, options, chosen, changed) => {
    const made = x.el("select", { "aria-label": label });
    x.offer(made, options, chosen);
    made.addEventListener("change", () => changed(made.value));
    return made;
  };
  x.input = (label, value, size, changed, more = {}) => {
    const made = x.el("input", {
      type: "text",
      "aria-label": label,
      size,
      spellcheck: "false",
      ...more,
    });
    made.value = value ?? "";
    made.addEventListener("change", () => changed(made.value.trim()));
    return made;
  };
  x.button = (words, pressed, more = {}) => {
    const made = x.el("button", { type: "button", ...more }, words);
    made.addEventListener("click", pressed);
    return made;
  };

  // A number on the screen: three digits that count, rounded up, with its thousands parted.
  x.three = (value) => {
    if (!Number.isFinite(value)) return window.dpchoose.words.NO_LIMIT;
    if (value < 0) return `−${x.three(-value)}`;
    const digits = Number(window.dpchoose.roundUp(value));
    let near = Number(digits.toPrecision(3));
    if (near < digits) near += 10 ** (Math.floor(Math.log10(digits)) - 2);
    return near && (near < 1e-5 || near >= 1e9)
      ? near.toExponential(2)
      : near.toLocaleString("en", { maximumSignificantDigits: 3 });
  };
  // As much of a text as there is room for.
  x.fit = (words, most) => (words.length <= most ? words : `${words.slice(0, most - 1)}…`);

  // Round numbers between two others, some `most` of them at most, and how they are written.
  x.ticks = (from, to, most) => {
    const power = 10 ** Math.floor(Math.log10((to - from) / most));
    const step = [1, 2, 5, 10].map((n) => n * power).find((s) => (to - from) / s <= most);
    const first = Math.ceil(from / step - 1e-9),
      last = Math.floor(to / step + 1e-9);
    return Array.from({ length: last - first + 1 }, (_, i) => [
      (first + i) * step,
      x.tick((first + i) * step, step),
    ]);
  };
  x.tick = (value, step) => {
    const size = Math.abs(value),
      places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    if (size >= 1e7 || (size && size < 1e-5))
      return value.toExponential(Math.max(0, Math.round(Math.log10(size / step))));
    return value.toLocaleString("en", {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    });
  };

  // What an answer is called, in words.
  x.named = (label) =>
    label.replace(/^(mean|sum|share|centred sum):/, "$1 of ").replace(/^count/, "number of rows");
})(window.explorer);
