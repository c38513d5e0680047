// The page: a file comes in, a question is asked of it step by step, and all that is shown is drawn
// from one state. An answer belongs to one file and one question; where it is not the answer to
// what is on the screen, nothing of it is shown.
((x) => {
  "use strict";
  // milliseconds until work is shown, and until an answer is read out
  const WAIT = 250,
    REST = 400,
    STEPS = ["file", "who", "what", "limits", "promise"];
  const TYPED = new Set(["limits", "from", "groups", "already", "perPerson", "goal"]);
  const FACTORS = [
    1.1, 1.2, 1.3, 1.4, 1.5, 1.7, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70,
    100,
  ].map(String);
  const GOALS = [
    ["odds", "Factor, at most"],
    ["before", "A suspicion may become"],
    ["error", "Error that I need, ±"],
  ];
  const root = document.querySelector(".explorer"),
    part = (name) => root.querySelector(`[data-part="${name}"]`),
    section = (name) => root.querySelector(`[data-step="${name}"]`);
  const { own } = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const linked = x.fromAddress(location.hash);
  const state = {
    open: "file",
    file: null,
    reading: null,
    question: linked?.question ?? x.blank(),
    codes: null,
    answer: null,
    refusal: null,
    waiting: "",
  };
  let shape = "",
    telling = 0,
    files = 0,
    working = 0;

  // The file and the question, to which an answer belongs.
  const key = () => JSON.stringify([state.file?.id, state.question]),
    current = () => (state.answer?.key === key() ? state.answer : null);
  // What is still to be said in a step: { todo, asks }.
  const todoOf = (step) => {
    const { file, question } = state;
    if (step === "file") return { todo: file ? "" : "Choose a file" };
    if (step === "who") return { todo: question.situation === "everybody" ? "" : "Say who" };
    if (step === "what") return x.whatTodo(question, file.table);
    if (step === "limits") return { todo: x.limitsTodo(question, file.how) };
    return { todo: "" };
  };
  const ready = () => state.file && STEPS.every((step) => !todoOf(step).todo);

  // Opens a step; its first field, or its heading, has the focus.
  function go(step, field = "") {
    state.open = step;
    draw();
    follow();
    const body = section(step),
      target = (field && body.querySelector(field)) || body.querySelector("h3");
    target.focus({ preventScroll: true });
    body.scrollIntoView({
      block: "start",
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
  }
  // The first step that is not done.
  function next() {
    const step = STEPS.find((name) => todoOf(name).todo) ?? "promise";
    go(step, { what: "[data-name=column-0], select", limits: "input" }[step]);
  }

  // Reads a file, which takes the place of the one before.
  async function open(file, { how = linked?.how ?? {}, set = null, again = false } = {}) {
    state.reading?.work.stop();
    state.file?.work.stop();
    const reading = { id: ++files, name: file.name, file, how, set, work: new x.Work() };
    Object.assign(state, { file: null, reading, codes: null, answer: null, refusal: null });
    delete part("answer").dataset.shown;
    state.open = "file";
    refuseFile("");
    draw();
    try {
      const work = reading.work.ask({ do: "read", file, how }, advance);
      reading.table = await during(`Reading ${file.name}`, work);
    } catch (error) {
      if (state.reading !== reading) return;
      reading.work.stop();
      state.reading = null;
      const message = error.given ? `Reading ${file.name} was given up` : error.message;
      refuseFile(message, error.asks, reading);
      return draw();
    }
    const usable = reading.table.rows > 1 && x.hasAnswers(reading.table);
    Object.assign(state, { file: usable ? reading : null, reading: null });
    if (set && !again) state.question = { ...x.blank(), ...structuredClone(set.question) };
    if (!usable) refuseFile(x.doubts(reading.table, how)[0].sentence);
    if (set && !again) return next();
    go("file");
  }
  const refuseFile = (sentence, asks, reading) =>
    x.refuse(part("wrong"), part("wrong-asks"), sentence, asks, (meant) => reread(meant, reading));
  // Reads a file once more, otherwise.
  const reread = (how, { file, how: before, set } = state.file) =>
    open(file, { how: { ...before, ...how }, set, again: true });
  // What is meant by an entry of the card.
  async function settle({ how, codes }) {
    if (!codes) return reread(how);
    const missing = [...(state.file.how.missing ?? []), ...codes];
    if (codes[0] !== "none") state.question.dropMissing = true;
    await reread({ missing });
    next();
  }

  // From the question to its answer, where the last step is open.
  async function follow() {
    const { file } = state;
    state.refusal = null;
    if (state.open !== "promise" || !ready() || current()) return draw();
    const { goal } = state.question;
    if (!String(goal.value).trim() || (goal.goal === "risk" && !goal.before)) return draw();
    const about = key();
    state.waiting = about;
    const question = structuredClone(state.question),
      asked = x.asked(question, file.how);
    draw();
    try {
      if (file.work.stopped) {
        file.work = new x.Work();
        const work = file.work.ask({ do: "read", file: file.file, how: file.how }, advance);
        await during("Reading", work);
      }
      const result = await during("Computing", file.work.ask({ do: "ask", question: asked }));
      if (about === key()) state.answer = { key: about, result, asked, question, file };
    } catch (error) {
      if (about !== key()) return;
      state.waiting = "";
      if (error.given && !(state.file === file && file.work.stopped)) return;
      const { asks } = error;
      if (asks?.name === "codes") {
        state.codes = { sentence: error.message, codes: asks.choices[0] };
        return go("file");
      }
      state.refusal = {
        message: error.given ? "The computation was given up" : error.message,
        asks,
      };
    }
    draw();
  }
  const changed = () => {
    state.codes = null;
    draw();
    follow();
  };

  // Everything that is seen, from the state.
  function draw() {
    const { file, question, open: step } = state,
      place = STEPS.indexOf(step);
    STEPS.forEach((name, i) => {
      const shown = section(name);
      shown.hidden = i > place && !(step === "file" && name === "who" && file && !state.codes);
      shown.classList.toggle("x-done", i < place);
      shown.querySelector(".x-body").hidden = i < place;
      shown.querySelector(".x-change").hidden = i >= place;
      shown.querySelector(".x-line").textContent = i < place ? lineOf(name) : "";
    });
    part("card").hidden = !file;
    if (!file) return nothing();
    // what is typed leaves its field where it is
    const now = JSON.stringify([file.id, step, question, state.codes], (name, value) =>
      TYPED.has(name) ? undefined : value,
    );
    if (shape !== now) {
      shape = now;
      if (step === "file") x.card(part("card"), file, doubts(), settle);
      x.sentence(part("sentence"), question, file.table, changed);
      x.form(part("form"), question, file.table, changed);
      x.limitFields(part("limits"), question, file.how, changed);
      if (document.activeElement !== part("from")) part("from").value = question.from;
    }
    say("what", "");
    say("limits", "");
    const { todo, asks } = step === "what" ? todoOf("what") : {};
    // a refusal that a button mends, or a column that does not fit, is said at once
    if (asks || root.querySelector("[data-part=sentence] [aria-invalid]")) say("what", todo, asks);
    const elsewhere = question.situation === "known";
    part("elsewhere").hidden = !elsewhere;
    part("elsewhere-command").textContent = elsewhere ? x.elsewhere(file, question) : "";
    x.refuse(
      part("refused"),
      part("refused-asks"),
      state.refusal ? `No answer to this question: ${state.refusal.message}` : "",
      state.refusal?.asks,
      mend,
    );
    if (step === "promise") accept();
    const answer = current();
    if (!answer) return nothing();
    show(answer);
  }
  const lineOf = (name) => {
    const { file, question } = state;
    if (name === "file") {
      const { rows, columns } = file.table;
      return `${file.name}: ${window.dpchoose.grouped(rows)} rows, ${columns.length} columns`;
    }
    if (name === "who") return "Everybody in the file is part of the number";
    return name === "what" ? x.whatLine(question) : x.limitsLine(question, file.how);
  };
  const doubts = () => {
    const { file, codes } = state,
      list = x.doubts(file.table, file.how);
    if (!codes) return list;
    const words = `${codes.codes.join(" and ")}: missing values, leave their rows out`;
    const choices = [
      { words, codes: codes.codes },
      { words: "all of them are values", codes: ["none"] },
    ];
    return [{ sentence: codes.sentence, choices }, ...list];
  };
  const say = (step, todo, asks) => {
    if (step === "what") return x.refuse(part("what-todo"), part("what-asks"), todo, asks, mend);
    part("limits-todo").textContent = todo && `${todo}.`;
  };
  const mend = (meant) => {
    Object.assign(state.question, meant);
    changed();
  };

  // Where there is no answer nothing is seen, heard, printed or copied.
  function nothing() {
    clearTimeout(telling);
    part("answer").hidden = state.waiting !== key() || !part("answer").dataset.shown;
    part("paper-step").hidden = true;
    for (const name of ["said", "command", "sheet"]) part(name).replaceChildren();
  }
  function show(answer) {
    const { result, file, asked } = answer;
    if (!result.rates) {
      nothing();
      part("answer").hidden = true;
      part("refused").textContent = result.words.sentences[0];
      return;
    }
    const area = part("answer"),
      drawn = area.dataset.shown === answer.key && !area.hidden;
    area.hidden = false;
    area.dataset.shown = answer.key;
    if (drawn && part("command").textContent) return;
    x.verdict(part, answer);
    if (!part("paper-step").hidden) x.sheet(part("sheet"), answer);
    const command = x.command({
      name: file.name,
      how: file.how,
      table: file.table,
      question: asked,
    });
    const make = file.set?.make ? [`python -c '${file.set.make}'`] : [];
    part("command").textContent = [...make, command].join("\n");
    clearTimeout(telling);
    part("said").textContent = "";
    telling = setTimeout(() => {
      if (current() === answer) part("said").textContent = x.spoken(answer);
    }, REST);
  }

  // The goal, its value and the slider, which is there where there is an answer.
  function accept() {
    const { goal } = state.question,
      kind = goal.goal === "risk" ? "before" : goal.goal,
      slider = part("slider");
    part("goal").value = kind;
    const fill = (name, text) => {
      if (document.activeElement !== part(name) || part(name).value.trim() === "")
        part(name).value = text ?? "";
    };
    fill("value", goal.value);
    fill("before", goal.before);
    part("before-label").hidden = kind !== "before";
    // which has % and /
    part("value").inputMode = kind === "before" ? "text" : "decimal";
    part("dial").hidden = kind !== "odds" || !(state.answer?.file === state.file);
    if (kind !== "odds") return;
    const value = Math.log(Number(String(goal.value).replace(",", ".")));
    const distances = FACTORS.map((factor) => Math.abs(Math.log(factor) - value));
    slider.max = FACTORS.length - 1;
    slider.value = Number.isFinite(value) ? distances.indexOf(Math.min(...distances)) : 0;
    slider.setAttribute("aria-valuetext", String(goal.value));
    slider.style.setProperty("--done", slider.value / slider.max);
  }
  function setGoal(goal) {
    state.question.goal = goal;
    changed();
  }

  // Shows that something is at work if it takes longer than one would wait.
  async function during(doing, work) {
    root.toggleAttribute("data-busy", Boolean(++working));
    const began = performance.now(),
      mine = {},
      bar = part("progress").querySelector("progress");
    bar.removeAttribute("value");
    during.now = mine;
    const soon = setInterval(() => {
      part("doing").textContent = `${doing}, ${Math.floor((performance.now() - began) / 1000)} s`;
      part("progress").hidden = false;
    }, WAIT);
    try {
      return await work;
    } finally {
      clearInterval(soon);
      // when what follows has begun
      setTimeout(() => root.toggleAttribute("data-busy", Boolean(--working)));
      if (during.now === mine) part("progress").hidden = true;
    }
  }
  const advance = (share) => {
    if (share > 0) part("progress").querySelector("progress").value = share;
  };

  function take(chosen) {
    if (chosen.length === 1) open(chosen[0]);
    else refuseFile(`One file must be dropped, got ${chosen.length || "none"}`);
  }
  // Puts a text on the clipboard, also where the page came over plain http, and says so.
  async function copy(text, place) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = x.el("textarea", { class: "x-hide" });
      area.value = text;
      root.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    part(place).textContent = "Copied";
    setTimeout(() => (part(place).textContent = ""), 4000);
  }

  part("file").addEventListener("change", (event) => {
    take([...event.target.files]);
    event.target.value = ""; // so that the same file can be taken again, and none is remembered
  });
  part("own").addEventListener("click", () => open(new File([own.csv], own.file), { set: own }));
  part("everybody").addEventListener("click", () => {
    state.question.situation = "everybody";
    next();
  });
  part("known").addEventListener("click", () => {
    state.question.situation = "known";
    if (state.open === "file") go("who");
    else draw();
  });
  for (const step of STEPS) {
    section(step)
      .querySelector(".x-change")
      .addEventListener("click", () => go(step));
    section(step)
      .querySelector(".x-next")
      ?.addEventListener("click", () => {
        const { todo, asks } = todoOf(step);
        if (!todo) return next();
        say(step, todo, asks);
      });
  }
  part("from").addEventListener("change", ({ target }) => {
    state.question.from = target.value.trim();
    changed();
  });
  part("goal").addEventListener("change", ({ target: { value } }) => {
    const error = current()?.result.public?.[0],
      begin = {
        odds: { value: "3" },
        before: { value: "10%", before: "1%" },
        error: { value: error ? String(error) : "" },
      };
    setGoal({ goal: value === "before" ? "risk" : value, ...begin[value] });
  });
  for (const name of ["value", "before"])
    part(name).addEventListener("change", ({ target }) =>
      setGoal({ ...state.question.goal, [name]: target.value.trim() }),
    );
  part("slider").addEventListener("input", ({ target }) => {
    part("value").value = FACTORS[target.value];
    setGoal({ goal: "odds", value: part("value").value });
  });
  part("cancel").addEventListener("click", () => (state.reading ?? state.file).work.stop());
  part("cut").addEventListener("toggle", () => {
    if (part("cut").open && current()) x.cuts(part, current().result);
  });
  part("copy").addEventListener("click", () => copy(part("command").textContent, "copied"));
  part("link").addEventListener("click", () => {
    const address = new URL(location.href);
    address.hash = x.toAddress(state.question, state.file.how);
    part("linked").hidden = false;
    part("address").value = address.href;
    part("address").select();
    copy(address.href, "link-copied");
  });
  part("paper").addEventListener("click", () => {
    if (!current()) return;
    part("paper-step").hidden = false;
    x.sheet(part("sheet"), current());
    part("sheet").focus({ preventScroll: true });
    part("paper-step").scrollIntoView({ block: "start" });
  });
  part("print").addEventListener("click", () => window.print());
  // Where there is an answer its sheet is what prints, black on white.
  addEventListener("beforeprint", () => {
    if (!current()?.result.rates || part("paper-step").hidden) return;
    const page = document.documentElement,
      { theme } = page.dataset;
    page.classList.add("x-reporting");
    page.dataset.theme = "light";
    const back = () => {
      page.classList.remove("x-reporting");
      page.dataset.theme = theme;
    };
    addEventListener("afterprint", back, { once: true });
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (current()?.result.rates && width !== innerWidth) x.verdict(part, current());
    width = innerWidth;
  });
  // nothing of a file comes back
  addEventListener("pageshow", (event) => event.persisted && location.reload());

  root.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input[type=text]")) return;
    event.target.blur();
    event.target.closest(".x-step").querySelector(".x-next")?.click();
  });
  // this page may submit no form, but it may go elsewhere
  for (const search of document.querySelectorAll("form.bd-search"))
    search.addEventListener("submit", (event) => {
      event.preventDefault();
      location.href = `${search.action}?${new URLSearchParams(new FormData(search))}`;
    });
  const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
    addEventListener(kind, (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      root.classList.toggle("x-over", kind.startsWith("drage") || kind === "dragover");
      if (kind === "drop") take([...event.dataTransfer.files]);
    });

  part("own").textContent = own.words;
  x.offer(part("goal"), GOALS, "odds");
  root.querySelector("form").hidden = false;
})(window.explorer);
