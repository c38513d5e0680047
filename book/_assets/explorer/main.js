// The explorer: a file comes in, a question is asked of it, and everything that follows is drawn at once. What cannot
// be answered leaves the last good answer where it is, with a sentence beside what caused it.
((x) => {
  "use strict";
  const WAIT = 250; // milliseconds until it is shown that something is at work

  const root = document.querySelector(".explorer");
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const own = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  let now = null; // the file that is asked: { name, file, how, table, work, set, prepared, facts }
  let last = null; // what was answered: { of, found, asked, facts, risk, curve }
  let risk = "1/3", coming = null, busy = false, again = false, telling = 0;

  const form = new x.Form(part, () => follow());
  const plot = new x.Plot(part("plot"), (text) => accept(text), () => x.risk(risk));

  // Reads a file; it takes the place of the one before when something can be asked of it.
  async function open(file, { how = {}, set = null } = {}) {
    const wrong = (sentence, asks) => beside(sentence, asks, (meant) => {
      part("file").focus();
      open(file, { how: { ...how, ...meant }, set });
    });
    coming?.work.stop();
    wrong("");
    telling = clearTimeout(telling);
    part("answer").setAttribute("aria-busy", "true");
    const mine = (coming = { name: file.name, file, how, set, work: new x.Work() });
    try {
      mine.table = await at("Reading", mine.work.ask({ do: "read", file, how }, advance));
      x.askable(mine.table);
    } catch (error) {
      if (coming === mine) {
        mine.work.stop();
        coming = null;
        if (!busy) part("answer").removeAttribute("aria-busy");
      }
      return error.given ? undefined : wrong(error.message, error.asks);
    }
    coming = null;
    mine.doubtful = () => wrong(...x.doubtful(mine.table, how));
    mine.doubtful();
    now?.work.stop();
    now = mine;
    risk = set?.risk ?? (now.table.rows > 100 ? "0.01" : now.table.rows > 3 ? "1/3" : "0.9");
    x.offer(part("own"), [...(set ? [] : [["", file.name]]), ...own.map((one, i) => [String(i), one.words])], set ? String(own.indexOf(set)) : "");
    part("universe").textContent = `All but one of ${x.count(now.table.rows)} records`;
    form.offer(now.table, set?.first);
    await follow();
  }

  // From the question to its answer. A change that comes while the worker is busy is answered next, and only the last.
  async function follow() {
    again = true;
    if (busy) return;
    busy = true;
    part("answer").setAttribute("aria-busy", "true");
    while (again) {
      again = false;
      try {
        await answer();
        refused("");
      } catch (error) {
        if (error.given && again) continue;
        refused(error.message || "Given up", error.asks);
      }
    }
    busy = false;
    part("answer").removeAttribute("aria-busy");
  }

  // Says that a question has no answer: of a new file beside the file, else below the question. What is shown is then about
  // another question, and paler.
  function refused(why, asks) {
    const isNew = last?.of !== now, about = isNew && last ? `, about ${last.of.name}` : "";
    root.classList.toggle("x-stale", Boolean(why && last));
    part("print").disabled = Boolean(why); // a report is about the question that is asked
    x.refuse(part("refused"), part("remedy"), "");
    if (!why && now.unasked) now.doubtful();
    now.unasked = Boolean(why) && isNew;
    if (!why) return;
    const said = `${why}.${last ? ` What is shown is still the answer before${about}.` : ""}`;
    const places = isNew ? ["wrong", "choices"] : ["refused", "remedy"];
    x.refuse(...places.map(part), said, asks, ({ dropMissing, ...how }) => {
      if (!dropMissing) return open(now.file, { how: { ...now.how, ...how }, set: now.set });
      part("dropping").checked = true;
      part("dropping").focus();
      follow();
    });
  }

  const beside = (sentence, asks, choose) => x.refuse(part("wrong"), part("choices"), sentence, asks, choose);

  async function answer() {
    const mine = now, accepted = risk, stale = () => again || mine !== now;
    if (mine.work.stopped) {
      mine.work = new x.Work();
      mine.prepared = "";
      await at("Reading", mine.work.ask({ do: "read", file: mine.file, how: mine.how }, advance));
    }
    const ask = (what) => at("Computing", mine.work.ask(what, advance));
    const asked = form.question(), key = JSON.stringify(asked);
    if (mine.prepared !== key) {
      mine.prepared = "";
      mine.facts = await ask({ do: "prepare", ask: asked });
      mine.prepared = key;
    }
    if (stale()) return;
    const found = await ask({ do: "recommend", risk: accepted });
    if (mine !== now) return;
    const kept = last?.of === mine && last.curve?.key === key ? last.curve : null;
    last = { of: mine, found, asked, facts: mine.facts, risk: accepted, curve: kept };
    show();
    if (kept || stale()) return;
    const curve = await x.curve(ask, found, stale);
    if (stale()) return;
    last.curve = { key, ...curve };
    draw();
  }

  function show() {
    const { found, facts, asked } = last;
    part("warned").textContent = facts.warnings.map((one) => `${one[0].toUpperCase()}${one.slice(1)}.`).join(" ");
    part("risk").value = last.risk;
    part("universe").textContent = `All but one of ${x.count(facts.records)} records`;
    x.told(part, found);
    x.noise(part("noise"), found);
    x.bars(part("bars"), found);
    x.sentences(part("sentences"), found);
    const [left, person] = [facts.dropped && `, after ${x.count(facts.dropped)} that lack a value are left out`, asked.person];
    part("about").textContent = `${now.name}: ${x.count(facts.records)} records${left || ""}, all but one of them released. `
      + `${person ? `Each person has one row, by the column ${person}. ` : ""}Accepted risk: ${last.risk}. ${x.status(found)}.`;
    part("command").textContent = x.commands({ name: now.name, how: now.how, delimiter: now.table.delimiter, asked, risk: last.risk, make: now.set?.make });
    draw();
    tell();
  }

  // Which answer the axis of the plot measures: the first that needs noise.
  function lead() {
    const { found, curve } = last, scales = curve?.scales ?? found.table.map((row) => row.noiseScale);
    return scales.findIndex((scale) => scale > 0 && Number.isFinite(scale));
  }

  function draw() {
    if (!last) return;
    const { found, curve } = last, place = lead(), row = found.table[Math.max(0, place)];
    const value = x.risk(last.risk), error = found.shown.table[Math.max(0, place)].halfWidth;
    const known = row.noiseScale > 0 && Number.isFinite(row.noiseScale);
    x.dots(part("dots"), found.table.map((one, i) => ({
      ...one, error: found.shown.table[i].halfWidth, centre: one.mean ?? one.halfWidth / one.relativeHalfWidth,
    })).filter((one) => Number.isFinite(one.centre)));
    if (!curve) return plot.wait();
    if (!curve.factors || place < 0) return plot.draw(null);
    const points = curve.factors.map((factor, i) => ({
      error: curve.scales[place] * factor * Math.log(20), risk: curve.risks[i].world, torn: curve.risks[i].torn,
    }));
    plot.draw({
      points, risk: value, error: row.halfWidth, prior: curve.prior,
      axis: `95% error of the ${x.named(row.statistic)}`,
      title: `Surest belief against the 95% error of the ${x.named(row.statistic)}: the more noise, the less sure.`,
      label: known ? `${last.risk}: ± ${error}` : last.risk,
      said: known ? `${last.risk}, ${x.named(row.statistic)} off by less than ${error}` : last.risk,
    });
    numbers(points, x.named(row.statistic));
  }

  function numbers(points, statistic) {
    const cells = (tag, ...texts) => x.el("tr", {}, ...texts.map((text) => x.el(tag, {}, text)));
    const some = points.filter((_, i) => i % Math.ceil(points.length / 10) === 0);
    part("numbers").replaceChildren(
      x.el("thead", {}, cells("th", `95% error of the ${statistic}`, "surest belief", "torn between two")),
      x.el("tbody", {}, ...some.map((p) => cells("td", String(Number(p.error.toPrecision(4))), x.percent(p.risk), x.percent(p.torn)))));
  }

  // Once a change has come to rest, in one sentence.
  function tell() {
    clearTimeout(telling);
    telling = setTimeout(() => {
      const { found } = last, row = found.table[0], shown = found.shown.table[0];
      const noise = shown.noiseScale ? `${x.named(row.statistic)} has noise of scale ${shown.noiseScale} and a 95% error of ${shown.halfWidth}` : "no noise is found";
      part("said").textContent = `Risk ${last.risk}: ${x.status(found).toLowerCase()}; ${noise}.`;
    }, 400);
  }

  function accept(text) {
    part("norisk").textContent = "";
    if (text === risk) return;
    risk = text;
    follow();
  }

  // Shows that something is at work if it takes longer than one would wait.
  async function at(doing, work) {
    part("progress").querySelector("progress").removeAttribute("value");
    const began = performance.now();
    const soon = setInterval(() => {
      const seconds = Math.floor((performance.now() - began) / 1000);
      part("doing").textContent = seconds ? `${doing}, ${seconds} s` : doing;
      part("progress").hidden = false;
    }, WAIT);
    try {
      return await work;
    } finally {
      clearInterval(soon);
      part("progress").hidden = true;
    }
  }
  const advance = (share) => { if (share > 0) part("progress").querySelector("progress").value = share; };

  function take(files) {
    if (files.length === 1) open(files[0]);
    else beside(files.length ? `one file must be dropped, got ${files.length}` : "a file must be dropped, got none");
  }

  part("file").addEventListener("change", (event) => {
    take([...event.target.files]);
    event.target.value = ""; // so that the same file can be taken again, and none is remembered
  });
  part("own").addEventListener("change", (event) => {
    const set = own[event.target.value];
    if (set) open(new File([set.csv], set.file), { set });
  });
  part("risk").addEventListener("change", (event) => {
    const text = event.target.value.trim();
    if (x.risk(text) > 0) return accept(text);
    part("norisk").textContent = `risk must lie between 0 and 1 and be written like 1/3 or 0.33, got ${text || "nothing"}`;
    event.target.value = risk;
  });
  part("cancel").addEventListener("click", () => (coming ?? now).work.stop());
  part("print").addEventListener("click", () => {
    const page = document.documentElement, { theme } = page.dataset;
    const today = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
    part("made").textContent = `Computed on ${today}.`;
    page.classList.add("x-reporting");
    page.dataset.theme = "light"; // paper is
    addEventListener("afterprint", () => {
      page.classList.remove("x-reporting");
      page.dataset.theme = theme;
    }, { once: true });
    window.print();
  });
  addEventListener("resize", draw);
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // nothing of a file comes back
  root.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  for (const search of document.querySelectorAll("form.bd-search")) { // this page may submit no form, but it may go elsewhere
    search.addEventListener("submit", (event) => {
      event.preventDefault();
      location.href = `${search.action}?${new URLSearchParams(new FormData(search))}`;
    });
  }
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
      event.preventDefault(); // a file beside the field would open, and the page be gone
      root.classList.toggle("x-over", kind === "dragenter" || kind === "dragover");
      if (kind === "drop") take([...event.dataTransfer.files]);
    });
  }

  root.querySelector("form").hidden = false;
  document.documentElement.classList.add("explored"); // hides the picture that stands in for it
  open(new File([own[0].csv], own[0].file), { set: own[0] });
})(window.explorer);
