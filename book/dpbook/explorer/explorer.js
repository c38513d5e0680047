// The explorer. Every number was computed by the package; here it is looked up and drawn.
(() => {
  const root = document.querySelector(".explorer:not([data-ready])");
  if (!root) return;
  root.dataset.ready = "";
  const data = root.querySelector("script[type='application/json']").textContent;
  const { stops, cells, texts, sets } = JSON.parse(data);
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const [dataset, column, query, risk] = ["dataset", "column", "query", "risk"].map(part);
  const WIDTH = 480, HEIGHT = 300, LEFT = 52, RIGHT = 14, TOP = 12, BOTTOM = 46;

  const unique = (values) => [...new Set(values)];
  const among = (limits) => sets.filter((set) => Object.entries(limits).every(([k, v]) => set[k] === v));

  function offer(select, values) {
    const before = select.value;
    select.replaceChildren(...values.map((value) => new Option(value, value)));
    select.value = values.includes(before) ? before : values[0];
  }

  function svg(name, attributes, text) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  // Round steps, four to eight of them.
  function ticks(end) {
    const power = 10 ** Math.floor(Math.log10(end / 4));
    const step = [1, 2, 5, 10].map((n) => n * power).find((s) => end / s <= 8);
    return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) => +(i * step).toPrecision(6));
  }

  function draw(set, accepted, epsilons) {
    const x = (epsilon) => LEFT + (epsilon / set.end) * (WIDTH - LEFT - RIGHT);
    const y = (value) => HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM);
    const nodes = [];
    const line = (kind, x1, y1, x2, y2) => nodes.push(svg("line", { class: kind, x1, y1, x2, y2 }));
    const label = (anchor, at, height, text) =>
      nodes.push(svg("text", { x: at, y: height, "text-anchor": anchor }, text));
    for (const value of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      line("grid", LEFT, y(value), WIDTH - RIGHT, y(value));
      label("end", LEFT - 6, y(value) + 5, value.toFixed(1));
    }
    for (const value of ticks(set.end)) {
      line("grid", x(value), TOP, x(value), y(0));
      label("middle", x(value), y(0) + 19, value);
    }
    label("middle", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "ε");
    nodes.push(svg("text", { transform: `translate(13 ${(TOP + y(0)) / 2}) rotate(-90)`, "text-anchor": "middle" },
      "disclosure risk"));
    line("accepted", LEFT, y(accepted), WIDTH - RIGHT, y(accepted));
    for (const kind of ["upper", "tight"]) {
      const values = set.curves[kind];
      if (!values) continue;
      const points = values.map((value, i) => `${x((i * set.end) / (values.length - 1)).toFixed(1)},${y(value).toFixed(1)}`);
      nodes.push(svg("polyline", { class: kind, points: points.join(" ") }));
      const epsilon = Number(epsilons[kind]);
      if (epsilon > 0) line(`${kind} mark`, x(epsilon), y(0), x(epsilon), y(accepted));
    }
    part("plot").replaceChildren(...nodes);
  }

  function show() {
    const set = among({ dataset: dataset.value, column: column.value, query: query.value })[0];
    const stop = stops[risk.value];
    const row = Object.fromEntries(cells.map((name, i) => [name, texts[set.rows[risk.value][i]]]));
    for (const [name, value] of Object.entries(row)) {
      const cell = part(name);
      if (cell) cell.textContent = value;
    }
    for (const name of ["worlds", "sensitivity", "spread", "prior"]) part(name).textContent = set[name];
    part("stop").textContent = stop.text;
    risk.setAttribute("aria-valuetext", stop.text);
    part("sentence").textContent = row.noise === "none"
      ? `No ε keeps this risk: ${row.reason}.`
      : row.noise === "0"
        ? `${row.status === "any epsilon" ? "No noise is added" : "Not safe without noise"}: ${row.reason}.`
        : `Answer with Laplace noise of scale ${row.noise}, ε = ${row.epsilon}: someone who knows ${set.known}, and to whom all `
          + `${set.worlds} possible releases are equally likely, ends at most ${stop.text} sure of the right one, and 95 of 100 answers `
          + `are less than ${row.error} off.` + (row.reason ? ` Not safe to sign: ${row.reason}.` : "");
    draw(set, stop.value, row);
    part("plot").setAttribute("aria-label",
      `Disclosure risk against ε. The accepted risk ${stop.text} is reached at ε ${row.tight} by the tight bound `
      + `and at ε ${row.upper} by the upper bound.`);
  }

  function refresh() {
    offer(dataset, unique(sets.map((set) => set.dataset)));
    offer(column, unique(among({ dataset: dataset.value }).map((set) => set.column)));
    offer(query, unique(among({ dataset: dataset.value, column: column.value }).map((set) => set.query)));
    show();
  }

  for (const select of [dataset, column, query]) select.addEventListener("change", refresh);
  risk.addEventListener("input", show);
  refresh();
  root.querySelector("form").hidden = false;
  document.documentElement.classList.add("explored"); // hides the picture that stands in for it
})();
