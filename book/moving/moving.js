// What the moving pictures are made of: a plot, a handle to drag, a slider, a button, a sentence.
//   moving("name", (stage, data) => draw)
// where draw() draws everything again, at the width that there is.
(() => {
  const { el: html, svg, write } = window.nodes;
  const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}%`;
  const clamp = (value, from, to) => Math.min(to, Math.max(from, value));

  // Round steps, at most `most` of them.
  function ticks(from, to, most) {
    const power = 10 ** Math.floor(Math.log10((to - from) / most));
    const step = [1, 2, 5, 10].map((n) => n * power).find((s) => (to - from) / s <= most);
    const first = Math.ceil(from / step - 1e-9);
    return Array.from(
      { length: Math.floor(to / step + 1e-9) - first + 1 },
      (_, i) => +((first + i) * step).toPrecision(6),
    );
  }

  // Axes and what is drawn between them; x and y give pixels. No yLabel: rows, with no axis at the
  // left.
  class Plot {
    constructor(parent, { label, x, y, ...options }) {
      const plain = (value) => value;
      const blank = { xLabel: "", yLabel: "", name: plain, yName: plain };
      const margins = { left: 40, right: 14, top: 30, bottom: 46 };
      Object.assign(this, blank, margins, options, { range: x, reach: y });
      this.tall = this.height;
      this.svg = svg("svg", { role: "group", "aria-label": label });
      this.drawn = svg("g", { "aria-hidden": "true" });
      this.svg.append(this.drawn);
      parent.append(this.svg);
    }
    // The pixels between the axes.
    get inner() {
      return [this.width - this.left - this.right, this.height - this.top - this.bottom];
    }
    x(value) {
      const [low, high] = this.range;
      return this.left + ((value - low) / (high - low)) * this.inner[0];
    }
    y(value) {
      const [low, high] = this.reach;
      return this.height - this.bottom - ((value - low) / (high - low)) * this.inner[1];
    }
    under(pixel) {
      const [low, high] = this.range;
      return low + ((pixel - this.left) / this.inner[0]) * (high - low);
    }
    add(name, attributes, text) {
      this.drawn.append(svg(name, attributes, text));
    }
    path(name, points, kind) {
      const pixels = points.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`);
      this.add(name, { class: kind, points: pixels.join(" ") });
    }
    line(points, kind) {
      this.path("polyline", points, kind);
    }
    area(points, kind) {
      this.path("polygon", points, kind);
    }
    // A straight line, across the plot or up it.
    across(y, kind, ends = this.range) {
      const points = ends.map((x) => [x, y]);
      this.line(points, kind);
    }
    up(x, kind, ends = this.reach) {
      const points = ends.map((y) => [x, y]);
      this.line(points, kind);
    }
    dot(x, y, kind, r = 5) {
      this.add("circle", { class: `dot ${kind}`, cx: this.x(x), cy: this.y(y), r });
    }
    text(x, y, words, { kind = "", anchor = "start", dx = 0, dy = 0 } = {}) {
      this.add(
        "text",
        { class: kind, x: this.x(x) + dx, y: this.y(y) + dy, "text-anchor": anchor },
        words,
      );
    }
    // A row at a height: its name in the left margin, and its value in the right one.
    row(y, name, value, kind = "value") {
      const at = this.y(y) + 5;
      this.add("text", { x: this.left - 8, y: at, "text-anchor": "end" }, name);
      this.add("text", { class: kind, x: this.width, y: at, "text-anchor": "end" }, value);
    }
    // A bar for each share, from the top down.
    bars(names, shares, kinds) {
      shares.forEach((share, i) => {
        const y = shares.length - i - 0.5;
        this.add("rect", {
          class: `bar ${kinds[i] ?? ""}`,
          x: this.left,
          y: this.y(y) - 11,
          width: Math.max(1, this.x(share) - this.left),
          height: 22,
        });
        this.row(y, names[i], percent(share));
      });
    }
    // A word above the plot, at a value.
    above(x, words) {
      this.add("text", { x: this.x(x), y: this.top - 10, "text-anchor": "middle" }, words);
    }
    // What is drawn meanwhile ends where the axes end.
    inside(draw) {
      const all = this.drawn,
        [width, height] = this.inner;
      const frame = { overflow: "hidden", x: this.left, y: this.top, width, height };
      const viewBox = `${this.left} ${this.top} ${width} ${height}`;
      this.drawn = svg("svg", { ...frame, viewBox });
      all.append(this.drawn);
      draw();
      this.drawn = all;
    }
    blank() {
      this.width = Math.max(240, this.svg.clientWidth || this.svg.parentNode.clientWidth || 360);
      this.height = innerWidth < 600 && this.short ? this.short : this.tall; // on a telephone
      write(this.svg, { height: this.height });
      this.drawn.replaceChildren();
    }
    frame() {
      this.blank();
      const [low, high] = this.reach,
        [from] = this.range,
        [width, height] = this.inner;
      for (const value of ticks(...this.range, width / 60)) {
        this.up(value, "grid");
        this.text(value, low, this.name(value), { anchor: "middle", dy: 18 });
      }
      for (const value of this.yLabel ? ticks(low, high, height / 36) : []) {
        this.across(value, "grid");
        this.text(from, value, this.yName(value), { anchor: "end", dx: -6, dy: 5 });
      }
      if (this.yLabel) this.add("text", { x: 0, y: 16 }, this.yLabel);
      this.across(low, "axis");
      const middle = { x: this.left + width / 2, y: this.height - 6, "text-anchor": "middle" };
      this.add("text", middle, this.xLabel);
    }
    // Something on this plot that moves sideways, by mouse, thumb or arrow keys.
    handle({
      label,
      value,
      step,
      text,
      from = this.range[0],
      to = this.range[1],
      moved,
      kind = "",
    }) {
      const place = { class: `handle ${kind}`, role: "slider", tabindex: 0, "aria-label": label };
      const knob = svg("g", place);
      const stem = svg("line", { class: "stem" });
      const circles = [
        svg("circle", { class: "reach", r: 22 }),
        svg("circle", { class: "knob", r: 9 }),
      ];
      knob.append(stem, ...circles);
      this.svg.append(knob);
      const self = { value };
      const tell = () => {
        const ends = { "aria-valuemin": from, "aria-valuemax": to };
        write(knob, { ...ends, "aria-valuenow": self.value, "aria-valuetext": text(self.value) });
      };
      const set = (wanted) => {
        self.value = clamp(+(Math.round(wanted / step) * step).toPrecision(9), from, to);
        tell();
        moved();
      };
      // Other ends, another step, and a value between the ends; nothing is drawn.
      self.reset = (wanted) => {
        ({ from, to, step } = wanted);
        self.value = wanted.value;
        tell();
      };
      self.place = (y, end = y) => {
        const x = this.x(self.value);
        for (const circle of circles) write(circle, { cx: x, cy: y });
        write(stem, { x1: x, x2: x, y1: y, y2: end });
      };
      const at = (event) => this.under(event.clientX - this.svg.getBoundingClientRect().left);
      knob.addEventListener("pointerdown", (event) => {
        const offset = self.value - at(event);
        const drag = (now) => set(at(now) + offset);
        const dragging = new AbortController();
        const drop = () => dragging.abort();
        const listeners = { pointermove: drag, pointerup: drop, pointercancel: drop };
        for (const [type, listener] of Object.entries(listeners))
          knob.addEventListener(type, listener, { signal: dragging.signal });
        knob.setPointerCapture(event.pointerId);
        knob.focus({ preventScroll: true });
        event.preventDefault();
      });
      knob.addEventListener("keydown", (event) => {
        const big = (to - from) / 10;
        const by = {
          ArrowRight: step,
          ArrowUp: step,
          ArrowLeft: -step,
          ArrowDown: -step,
          PageUp: big,
          PageDown: -big,
          Home: from - self.value,
          End: to - self.value,
        }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        set(self.value + by);
      });
      tell();
      return self;
    }
  }

  // A range input; between its ends the values are spaced by their logarithms, or evenly.
  function slider(parent, { label, value, from, to, steps = 100, even = false, text, moved }) {
    const box = html("label", { class: "moving-slider" });
    const shown = html("output"),
      input = html("input", { type: "range", min: 0, max: steps, step: 1 });
    const spaced = (share) => (even ? from + (to - from) * share : from * (to / from) ** share);
    const values = Array.from({ length: steps + 1 }, (_, i) => +spaced(i / steps).toPrecision(3));
    const self = { value };
    self.set = (wanted) => {
      self.value = wanted;
      const distances = values.map((v) => Math.abs(v - wanted));
      input.value = distances.indexOf(Math.min(...distances));
      tell();
    };
    function tell() {
      shown.textContent = text(self.value);
      input.setAttribute("aria-valuetext", shown.textContent);
    }
    input.addEventListener("input", () => {
      self.value = values[input.value];
      tell();
      moved();
    });
    box.append(html("span", {}, label), shown, input);
    parent.append(box);
    self.set(value);
    return self;
  }

  // A field for text, or a choice where options are given; changed() gets the new value.
  function field(parent, { label, value, options = null, changed }) {
    const box = html("label", { class: "moving-field" });
    const input = options ? html("select") : html("input", { type: "text", value });
    for (const option of options ?? []) input.append(html("option", {}, option));
    input.value = value;
    input.addEventListener(options ? "change" : "input", () => changed(input.value));
    box.append(html("span", {}, label), input);
    parent.append(box);
    return input;
  }

  function button(parent, words, pressed) {
    const pushed = html("button", { type: "button" }, words);
    pushed.addEventListener("click", pressed);
    parent.append(pushed);
  }

  // The parts of one picture, from its title down to the sentence.
  function stageOf(root, name) {
    const stage = root.querySelector(".moving-stage");
    const title = html("p", { class: "moving-title", id: `moving-${name}` });
    const plots = html("div", { class: "moving-plots" }),
      controls = html("div", { class: "moving-controls" });
    const says = html("p", { class: "moving-says", "aria-live": "polite" }),
      hint = html("p", { class: "moving-hint" });
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-labelledby", title.id);
    stage.append(title, hint, plots, says, controls);
    return {
      plots,
      controls,
      title: (words) => (title.textContent = words),
      hint: (words) => (hint.textContent = words),
      plot: (options) => new Plot(plots, options),
      slider: (options) => slider(controls, options),
      field: (options) => field(controls, options),
      button: (words, pressed) => button(controls, words, pressed),
      // What is seen now: a sentence for everybody, and the numbers behind it in full.
      says: (words, numbers) => {
        if (says.textContent !== words) says.textContent = words;
        root.dataset.numbers = JSON.stringify(numbers);
      },
    };
  }

  window.moving = (name, build) => {
    for (const root of document.querySelectorAll(`[data-moving="${name}"]:not(.moves)`)) {
      const data = JSON.parse(root.querySelector("script").textContent);
      const stage = root.querySelector(".moving-stage");
      stage.hidden = false;
      const draw = build(stageOf(root, name), data);
      draw();
      root.classList.add("moves"); // hides the still picture, unless both are kept
      let width = stage.clientWidth;
      new ResizeObserver(() => {
        if (width !== (width = stage.clientWidth)) draw();
      }).observe(stage);
    }
  };
  Object.assign(window.moving, {
    clamp,
    still: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
    percent,
    whole: (share) => percent(share, 0),
  });
})();
