// What the moving pictures are made of: a plot, a handle to drag, a slider, a button, a sentence.
//   moving("name", (stage, data) => draw)
// where draw() draws everything again, at the width that there is.
(() => {
  const make = (space, name, attributes = {}, text) => {
    const made = space ? document.createElementNS(space, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const html = (name, attributes, text) => make(null, name, attributes, text);
  const svg = (name, attributes, text) =>
    make("http://www.w3.org/2000/svg", name, attributes, text);
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
    constructor(
      parent,
      {
        height,
        label,
        x,
        y,
        xLabel = "",
        yLabel = "",
        left = 40,
        right = 14,
        top = 30,
        bottom = 46,
        name = (v) => v,
        yName = (v) => v,
      },
    ) {
      Object.assign(this, {
        height,
        range: x,
        reach: y,
        xLabel,
        yLabel,
        left,
        right,
        top,
        bottom,
        name,
        yName,
      });
      this.svg = svg("svg", { role: "group", "aria-label": label, height });
      this.drawn = svg("g", { "aria-hidden": "true" });
      this.svg.append(this.drawn);
      parent.append(this.svg);
    }
    x(value) {
      return (
        this.left +
        ((value - this.range[0]) / (this.range[1] - this.range[0])) *
          (this.width - this.left - this.right)
      );
    }
    y(value) {
      return (
        this.height -
        this.bottom -
        ((value - this.reach[0]) / (this.reach[1] - this.reach[0])) *
          (this.height - this.top - this.bottom)
      );
    }
    under(pixel) {
      return (
        this.range[0] +
        ((pixel - this.left) / (this.width - this.left - this.right)) *
          (this.range[1] - this.range[0])
      );
    }
    add(name, attributes, text) {
      this.drawn.append(svg(name, attributes, text));
    }
    line(points, kind) {
      this.add("polyline", {
        class: kind,
        points: points.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join(" "),
      });
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
    area(points, kind) {
      this.add("polygon", {
        class: kind,
        points: points.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join(" "),
      });
    }
    // What is drawn meanwhile ends where the axes end.
    inside(draw) {
      const all = this.drawn,
        frame = svg("svg", {
          overflow: "hidden",
          x: this.left,
          y: this.top,
          width: this.width - this.left - this.right,
          height: this.height - this.top - this.bottom,
        });
      frame.setAttribute(
        "viewBox",
        `${this.left} ${this.top} ${this.width - this.left - this.right} ` +
          `${this.height - this.top - this.bottom}`,
      );
      all.append(frame);
      this.drawn = frame;
      draw();
      this.drawn = all;
    }
    blank() {
      this.width = Math.max(240, this.svg.clientWidth || this.svg.parentNode.clientWidth || 360);
      this.drawn.replaceChildren();
    }
    frame() {
      this.blank();
      const [low, high] = this.reach;
      for (const value of ticks(...this.range, (this.width - this.left - this.right) / 60)) {
        this.line(
          [
            [value, low],
            [value, high],
          ],
          "grid",
        );
        this.text(value, low, this.name(value), { anchor: "middle", dy: 18 });
      }
      if (this.yLabel) {
        for (const value of ticks(low, high, (this.height - this.top - this.bottom) / 36)) {
          this.line(
            [
              [this.range[0], value],
              [this.range[1], value],
            ],
            "grid",
          );
          this.text(this.range[0], value, this.yName(value), { anchor: "end", dx: -6, dy: 5 });
        }
        this.add("text", { x: 0, y: 16 }, this.yLabel);
      }
      this.line(
        [
          [this.range[0], low],
          [this.range[1], low],
        ],
        "axis",
      );
      this.add(
        "text",
        {
          x: (this.left + this.width - this.right) / 2,
          y: this.height - 6,
          "text-anchor": "middle",
        },
        this.xLabel,
      );
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
      const knob = svg("g", {
        class: `handle ${kind}`,
        role: "slider",
        tabindex: 0,
        "aria-label": label,
      });
      knob.append(
        svg("line", { class: "stem" }),
        svg("circle", { class: "reach", r: 22 }),
        svg("circle", { class: "knob", r: 9 }),
      );
      this.svg.append(knob);
      const self = { value };
      const told = () => {
        knob.setAttribute("aria-valuemin", from);
        knob.setAttribute("aria-valuemax", to);
        knob.setAttribute("aria-valuenow", self.value);
        knob.setAttribute("aria-valuetext", text(self.value));
      };
      const set = (wanted) => {
        self.value = clamp(+(Math.round(wanted / step) * step).toPrecision(9), from, to);
        told();
        moved();
      };
      // Other ends, another step, and a value between the ends; nothing is drawn.
      self.reset = (wanted) => {
        ({ from, to, step } = wanted);
        self.value = wanted.value;
        told();
      };
      self.place = (y, end = y) => {
        const x = this.x(self.value);
        for (const circle of knob.querySelectorAll("circle")) {
          circle.setAttribute("cx", x);
          circle.setAttribute("cy", y);
        }
        for (const [key, at] of Object.entries({ x1: x, x2: x, y1: y, y2: end }))
          knob.firstChild.setAttribute(key, at);
      };
      const at = (event) => this.under(event.clientX - this.svg.getBoundingClientRect().left);
      knob.addEventListener("pointerdown", (event) => {
        const offset = self.value - at(event);
        const drag = (now) => set(at(now) + offset);
        const drop = () => {
          for (const [type, heard] of listeners) knob.removeEventListener(type, heard);
        };
        const listeners = [
          ["pointermove", drag],
          ["pointerup", drop],
          ["pointercancel", drop],
        ];
        for (const [type, heard] of listeners) knob.addEventListener(type, heard);
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
      told();
      return self;
    }
  }

  // A range input; between its ends the values are spaced by their logarithms, or evenly.
  function slider(parent, { label, value, from, to, steps = 100, even = false, text, moved }) {
    const box = html("label", { class: "moving-slider" });
    const shown = html("output"),
      input = html("input", { type: "range", min: 0, max: steps, step: 1 });
    const values = Array.from(
      { length: steps + 1 },
      (_, i) =>
        +(even ? from + ((to - from) * i) / steps : from * (to / from) ** (i / steps)).toPrecision(
          3,
        ),
    );
    const self = { value };
    self.set = (wanted) => {
      self.value = wanted;
      const far = values.map((v) => Math.abs(v - wanted));
      input.value = far.indexOf(Math.min(...far));
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
    const made = html("button", { type: "button" }, words);
    made.addEventListener("click", pressed);
    parent.append(made);
    return made;
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
    stage.append(title, hint, plots, controls, says);
    return {
      plots,
      controls,
      title: (words) => {
        title.textContent = words;
      },
      hint: (words) => {
        hint.textContent = words;
      },
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
    html,
    svg,
    clamp,
    still: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
    percent: (share, digits = 1) => `${(100 * share).toFixed(digits)}%`,
  });
})();
