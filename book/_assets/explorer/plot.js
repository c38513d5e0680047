// Risk against error, where the accepted risk is dragged along its curve. Both axes are spaced by ratios (the risk
// by its odds), so that what happens at one in a thousand is as wide as what happens at one half.
((x) => {
  "use strict";
  const SIGN = 8; // pixels at most
  const RIGHT = 16, TOP = 26, BOTTOM = 50, HEIGHT = 300;
  const RISKS = [0.5, 0.01, 0.99, 0.1, 0.9, 0.001, 0.999, 0.25, 0.75, 1e-4, 1e-5, 1e-6, 0.05, 0.95, 0.4, 0.6];
  const MOST = 0.9995; // the top of the plot

  x.Plot = class {
    #svg; #drawn; #knob; #shown; #dragged; #accepted; #points = [];

    // `dragged` is called with each risk, as text, that the pointer or a key comes to; `accepted` says which it is now,
    // before its answer is there.
    constructor(svg, dragged, accepted) {
      this.#accepted = accepted;
      this.#svg = svg;
      this.#dragged = dragged;
      this.#drawn = x.svg("g", { "aria-hidden": "true" });
      this.#knob = x.svg("g", { class: "x-knob", role: "slider", tabindex: 0, "aria-label": "Accepted risk",
        "aria-orientation": "vertical", "aria-valuemin": 0, "aria-valuemax": 1 },
      x.svg("circle", { class: "x-reach", r: 24 }), x.svg("circle", { class: "x-dot", r: 9 }));
      svg.append(this.#drawn); // the handle comes with the first answer: before it there is no value to tell
      this.#knob.addEventListener("keydown", (event) => this.#key(event));
      this.#listen();
      new ResizeObserver(() => this.#shown && this.draw()).observe(svg);
    }

    // What there is to see: points { error, risk, torn } in the order of their errors, the accepted risk as text and
    // number, its error, and in words what the axis measures, what the curve is and what the handle says.
    draw(shown = this.#shown) {
      this.#shown = shown;
      this.#svg.classList.remove("x-waits");
      this.#svg.toggleAttribute("hidden", !shown);
      if (!shown) return;
      if (!this.#knob.isConnected) this.#svg.append(this.#knob);
      const width = Math.max(280, this.#svg.clientWidth);
      this.#svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
      this.#svg.setAttribute("aria-label", shown.title);
      const { points, risk, error } = shown;
      const odds = [...points.map((p) => x.logOdds(Math.min(p.risk, MOST))), x.logOdds(Math.min(risk, MOST))];
      const high = Math.max(...odds) + 0.1, low = Math.min(...odds) - 0.05 - 0.16 * (high - Math.min(...odds));
      const sides = points.map((p) => Math.log(p.error));
      const from = sides[0], to = sides.at(-1);
      const top = (value) => {
        const share = (x.logOdds(Math.min(Math.max(value, 1e-300), MOST)) - low) / (high - low);
        return HEIGHT - BOTTOM - Math.min(1, Math.max(0, share)) * (HEIGHT - TOP - BOTTOM);
      };
      const floor = HEIGHT - BOTTOM, end = width - RIGHT, marks = apart(RISKS, top, 26, TOP, floor);
      const edge = 12 + SIGN * Math.max(4, ...marks.map((value) => x.percent(value).length));
      const left = (value) => edge + ((Math.log(value) - from) / (to - from)) * (end - edge);
      this.#points = points.map((p) => ({ left: left(p.error), top: top(p.risk), odds: x.logOdds(Math.min(p.risk, MOST)) }));
      const nodes = [];
      const line = (kind, x1, y1, x2, y2) => nodes.push(x.svg("line", { class: kind, x1, y1, x2, y2 }));
      const text = (words, at, y, anchor = "start", kind = "") =>
        nodes.push(x.svg("text", { x: at, y, "text-anchor": anchor, class: kind }, words));
      for (const value of marks) {
        line("x-grid", edge, top(value), end, top(value));
        text(x.percent(value), edge - 7, top(value) + 5, "end");
      }
      for (const value of apart(decades(Math.exp(from), Math.exp(to)), left, 58, edge, end - 12)) {
        line("x-grid", left(value), TOP, left(value), floor);
        text(x.tick(value, value), left(value), floor + 18, "middle");
      }
      line("x-axis", edge, floor, end, floor);
      text("surest belief", 0, 14);
      text(x.fit(shown.axis, end), end, HEIGHT - 8, "end");
      const drawn = (kind, value) => nodes.push(x.svg("polyline", { class: kind,
        points: points.map((p) => `${left(p.error).toFixed(1)},${top(value(p)).toFixed(1)}`).join(" ") }));
      drawn("x-torn", (p) => p.torn);
      drawn("x-curve", (p) => p.risk);
      const at = { left: Number.isFinite(error) && error > 0 ? Math.min(end, Math.max(edge, left(error))) : edge, top: top(risk) };
      line("x-lead", edge, at.top, at.left, at.top);
      line("x-lead", at.left, at.top, at.left, floor);
      const curves = [(p) => p.torn, (p) => p.risk].map((value) => points.map((p) => [left(p.error), top(value(p))]));
      const named = placeOf("torn between two", curves, at, edge, end);
      text("torn between two", ...named, "start", "x-grey");
      const within = at.left - edge > 14 + 9 * shown.label.length; // below the curve nothing else is drawn
      text(shown.label, at.left + (within ? -14 : 14), within ? at.top + 24 : at.top - 14, within ? "end" : "start", "x-value");
      this.#drawn.replaceChildren(...nodes);
      for (const circle of this.#knob.children) {
        circle.setAttribute("cx", at.left);
        circle.setAttribute("cy", at.top);
      }
      this.#knob.setAttribute("aria-valuenow", risk);
      this.#knob.setAttribute("aria-valuetext", shown.said);
    }

    // While another question is answered: what is drawn is not about it, and cannot be dragged.
    wait() {
      this.#svg.classList.add("x-waits");
    }

    #key(event) {
      const by = { ArrowUp: 1, ArrowRight: -1, ArrowDown: -1, ArrowLeft: 1, PageUp: 4, PageDown: -4, Home: -99, End: 99 }[event.key];
      if (by === undefined || !this.#shown) return;
      event.preventDefault();
      const stops = x.stops(this.#shown.prior), now = this.#accepted();
      const above = stops.findIndex((s) => x.risk(s) > now * (1 + 1e-9));
      const next = above < 0 ? stops.length : above;
      const here = stops.findIndex((s) => Math.abs(x.risk(s) - now) < 1e-9 * now);
      const place = by > 0 ? next + by - 1 : (here < 0 ? next : here) + by;
      this.#dragged(stops[Math.min(stops.length - 1, Math.max(0, place))]);
    }

    // From the pointer to the nearest point of the curve; a finger that misses the handle scrolls the page.
    #listen() {
      const follow = (event) => {
        const box = this.#svg.getBoundingClientRect();
        const odds = nearest(this.#points, event.clientX - box.left, event.clientY - box.top);
        this.#dragged(x.rounded(x.fromLogOdds(odds)));
      };
      this.#svg.addEventListener("pointerdown", (event) => {
        if (event.button || !this.#shown || (event.pointerType === "touch" && !this.#knob.contains(event.target))) return;
        event.preventDefault();
        this.#svg.setPointerCapture(event.pointerId);
        this.#knob.focus({ preventScroll: true });
        follow(event);
        const drop = () => {
          this.#svg.removeEventListener("pointermove", follow);
          for (const kind of ["pointerup", "pointercancel"]) this.#svg.removeEventListener(kind, drop);
        };
        this.#svg.addEventListener("pointermove", follow);
        for (const kind of ["pointerup", "pointercancel"]) this.#svg.addEventListener(kind, drop);
      });
    }
  };

  // Where the first of two curves has its name: beside it, on neither of them, and far from the handle.
  function placeOf(name, [torn, other], handle, edge, end) {
    const wide = SIGN * name.length, steps = [...between(torn), ...between(other)];
    let best = { far: -1, place: [edge, TOP + 18] };
    for (const [left, top] of torn) {
      for (const [x, y] of [[left + 8, top - 8], [left - wide - 8, top + 20], [left - wide / 2, top - 10], [left - wide / 2, top + 22]]) {
        if (x < edge + 4 || x + wide > end || y < TOP + 12 || y > HEIGHT - BOTTOM - 8) continue;
        if (steps.some(([a, b]) => a > x - 4 && a < x + wide + 4 && b > y - 15 && b < y + 7)) continue;
        const far = Math.hypot(x + wide / 2 - handle.left, 2 * (y - handle.top));
        if (far > best.far) best = { far, place: [x, y] };
      }
    }
    return best.place;
  }

  // A line's points, and as many between them that none is far from the next.
  function between(line) {
    return line.slice(1).flatMap(([a, b], i) => {
      const [c, d] = line[i], many = Math.ceil(Math.hypot(a - c, b - d) / 6);
      return Array.from({ length: many + 1 }, (_, k) => [c + ((a - c) * k) / (many || 1), d + ((b - d) * k) / (many || 1)]);
    });
  }

  // The risks at which the arrow keys stop: round ones above the prior.
  x.stops = (prior) => {
    const low = [1, 1.5, 2, 3, 5, 7].flatMap((n) => [6, 5, 4, 3, 2].map((k) => Number(`${n}e-${k}`)));
    const most = [0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999];
    const texts = [...low.sort((a, b) => a - b), ...most].filter((risk) => risk > prior).map((risk) => String(risk));
    if (prior < 1 / 3) texts.splice(texts.findIndex((text) => Number(text) > 1 / 3), 0, "1/3");
    return texts.map((text) => (text.includes("e") ? Number(text).toFixed(8).replace(/0+$/, "") : text));
  };

  // Of some values, in the order of their rank, those that have room beside the ones before.
  function apart(values, place, room, from, to) {
    const kept = [];
    for (const value of values) {
      const at = place(value);
      if (at > from + 1 && at < to - 1 && kept.every((other) => Math.abs(place(other) - at) >= room)) kept.push(value);
    }
    return kept;
  }

  // 1, 10, 100 and so on between two values, then 2s and 5s, then what is between where that is little.
  function decades(from, to) {
    const powers = [];
    for (let k = Math.floor(Math.log10(from)); k <= Math.log10(to); k++) powers.push(Number(`1e${k}`));
    const among = (n) => powers.map((p) => n * p).filter((v) => v > from && v < to);
    const few = among(1).length + among(2).length + among(5).length < 3;
    return [1, 2, 5, ...(few ? [3, 4, 6, 8, 1.5, 2.5] : [])].flatMap(among);
  }

  function nearest(points, left, top) {
    let best = { far: Infinity, odds: points[0].odds };
    for (let i = 1; i < points.length; i++) {
      const a = points[i - 1], b = points[i], wide = b.left - a.left, tall = b.top - a.top;
      const along = ((left - a.left) * wide + (top - a.top) * tall) / (wide * wide + tall * tall || 1);
      const share = Math.min(1, Math.max(0, along));
      const far = (a.left + share * wide - left) ** 2 + (a.top + share * tall - top) ** 2;
      if (far < best.far) best = { far, odds: a.odds + share * (b.odds - a.odds) };
    }
    return best.odds;
  }
})(window.explorer);
