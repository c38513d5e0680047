// The page: a file comes in, a question is asked of it step by step, and all that is shown is drawn
// from one state. An answer belongs to one file and one question; where it is not the answer to
// what is on the screen, nothing of it is shown, but what stands there while the next is computed.
((x) => {
  "use strict";
  const WAIT = 250, // milliseconds until work is shown, and until an answer is read out
    REST = 400,
    STEPS = ["file", "who", "what", "limits", "promise"],
    GOALS = { odds: "a factor", risk: "two risks", error: "an error" },
    NO_ERROR =
      "An error that you need cannot be set: the number of rows is hidden, and it would tell it.",
    GOAL = ["value", "before"]; // fields that stay empty, and then there is no promise
  const root = document.querySelector(".explorer"),
    form = root.querySelector("form"),
    part = (name) => root.querySelector(`[data-part="${name}"]`),
    section = (name) => root.querySelector(`[data-step="${name}"]`),
    fields = [...form.querySelectorAll("[name]:not([data-part=signs] *)")],
    slider = part("slider"),
    FACTORS = slider.dataset.factors.split(" ");
  const { own } = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  x.BLANK = Object.fromEntries(
    fields.map(({ name, type, value }) => [name, type === "checkbox" ? "" : value]),
  );
  const linked = x.fromAddress(location.hash);
  const state = {
    open: "file",
    file: null,
    reading: null,
    question: linked?.question ?? x.blank(),
    picked: null, // the file of which the question is asked
    codes: null,
    look: null, // { about, perPerson, gone, refusal }: what the rows tell in the third step
    looking: null, // { of, done }, while it looks
    answer: null, // { key, result } or { key, refusal }
    asking: "",
    isWanted: false, // the sheet
  };
  const shapes = {};
  let telling = 0,
    typing = 0,
    files = 0,
    working = 0;

  // The file and the question, to which an answer belongs.
  const key = () => JSON.stringify([state.file?.id, state.question]),
    current = () => (state.answer?.key === key() ? state.answer : null),
    shown = () => (current()?.result?.rates ? current() : null),
    isEmpty = ({ goal, value, before } = state.question) => !value || (goal === "risk" && !before);
  // What a look through the rows told of these columns, and of so many rows a person.
  const about = () => JSON.stringify([state.file?.id, x.looked(state.question)]),
    looked = () => (state.look?.about === about() ? state.look : null),
    people = () => (looked()?.perPerson === state.question.perPerson ? looked() : null);
  // What is still to be said in a step: { message, choices }; nothing where it is done.
  const todo = {
    file: () => (state.file ? null : { message: "Choose a file" }),
    who: () => (state.question.who === "everybody" ? null : { message: "Say who" }),
    what: () =>
      x.whatTodo(state.question, state.file.table, looked()) ??
      x.peopleTodo(state.question, people()),
    limits: () => x.limitsTodo(state.question, state.file.how),
    promise: () => null,
  };
  const firstTodo = () => STEPS.find((step) => todo[step]()) ?? "promise";

  // Opens a step; its first field, or its heading, has the focus.
  function go(step, field) {
    state.open = step;
    follow();
    const body = section(step),
      target = (field && body.querySelector(field)) || body.querySelector("h2"),
      isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.focus({ preventScroll: true });
    body.scrollIntoView({ block: "start", behavior: isCalm ? "auto" : "smooth" });
  }
  async function next() {
    await lookThrough();
    const step = firstTodo();
    go(step, { what: "[data-name=column-0]", limits: "input" }[step]);
  }
  async function goOn(step) {
    await lookThrough();
    const left = todo[step]();
    if (left) x.refuse(part(left.place ?? `${step}-todo`), left, mend);
    else next();
  }

  // Reads a file, which takes the place of the one before.
  async function open(file, { how = linked?.how ?? {}, set = null, isAgain = false } = {}) {
    state.reading?.work.stop();
    state.file?.work.stop();
    const reading = { id: ++files, name: file.name, file, how, set, work: new x.Work() };
    Object.assign(state, { open: "file", file: null, reading, codes: null, answer: null });
    const refuse = (refusal) => x.refuse(part("wrong"), refusal, (meant) => reread(meant, reading));
    refuse(null);
    draw();
    try {
      const work = reading.work.ask({ file, how }, advance);
      reading.table = await during(`Reading ${file.name}`, work);
    } catch ({ message, choices }) {
      if (state.reading !== reading) return;
      reading.work.stop();
      state.reading = null;
      refuse({ message: message || `Reading ${file.name} was given up`, choices });
      section("file").scrollIntoView({ block: "nearest" });
      return draw();
    }
    const offered = ["mean", "share"].flatMap((query) => x.offered(reading.table, query)),
      isUsable = reading.table.rows > 1 && offered.length;
    Object.assign(state, { file: isUsable ? reading : null, reading: null });
    if (!isUsable) refuse({ message: x.doubts(reading.table, how)[0].message });
    if (isUsable && state.picked && state.picked.file !== file)
      state.question = x.ofAnother(state.question, state.picked.table, reading.table);
    if (isUsable) state.picked = reading;
    if (!set || isAgain) return go("file");
    state.question = { ...x.blank(), ...structuredClone(set.question) };
    next();
  }
  // Reads a file once more, otherwise.
  function reread(meant, { file, how, set } = state.file) {
    const signs = { ...how, ...meant };
    if (signs.thousands === (signs.decimal ?? ".")) signs.thousands = "";
    return open(file, { how: signs, set, isAgain: true });
  }
  // What is meant by an entry of the card.
  async function settle({ codes, ...signs }) {
    if (!codes) return reread(signs);
    if (codes !== "none") state.question.dropMissing = "drop";
    await reread({ missing: [state.file.how.missing, codes].filter(Boolean).join(" ") });
    next();
  }

  // Asks the worker of a file, or a new one where that was stopped.
  function ask(file, message) {
    const again = file.work.stopped ? { file: file.file, how: file.how } : {};
    if (file.work.stopped) file.work = new x.Work();
    return file.work.ask({ ...again, ...message }, advance);
  }
  // Looks through the rows for what they tell before there are limits, where they may tell it.
  async function lookThrough() {
    const { file, question } = state,
      { perPerson } = question;
    if (!file || people() || !x.needsLook(question, file.table)) return;
    const now = about(),
      of = `${now} ${perPerson}`;
    if (state.looking?.of !== of) {
      const asked = ask(file, { look: { ...x.looked(question), perPerson } });
      state.looking = { of, done: during("Looking through the rows", asked) };
    }
    let told;
    try {
      told = await state.looking.done;
    } catch ({ message }) {
      if (message) told = { gone: 0, refusal: message };
    }
    // of another question it tells nothing, and what was known of this one stays
    if (told && now === about() && perPerson === state.question.perPerson)
      state.look = { about: now, perPerson, ...told };
    if (state.looking?.of === of) state.looking = null;
    draw();
  }
  // From the question to its answer, where the last step is open; then what was asked meanwhile.
  async function follow() {
    const { file, question, asking } = state;
    if (asking || state.open !== "promise" || firstTodo() !== "promise" || current()) return draw();
    if (isEmpty()) return draw();
    const now = key(),
      asked = x.asked(question, file.how);
    state.asking = now;
    draw();
    try {
      const result = await during("Computing", ask(file, { question: asked }));
      state.answer = { key: now, result, asked, question: structuredClone(question), file };
    } catch ({ message, choices }) {
      const refusal = { message: message || "The computation was given up", choices };
      state.answer = { key: now, refusal };
      if (choices?.[0]?.codes && now === key()) {
        Object.assign(state, { asking: "", codes: refusal });
        return go("file");
      }
    }
    state.asking = "";
    follow();
    if (state.isWanted && !state.asking) pressed.paper();
  }
  const changed = () => {
    state.codes = null;
    follow();
    lookThrough();
  };
  const mend = ({ field, ...meant }) => {
    Object.assign(state.question, meant);
    changed();
    if (field) form.elements.namedItem(field).select();
    else if (document.activeElement === document.body)
      section(state.open).querySelector("h2").focus({ preventScroll: true }); // its button is gone
  };

  // Draws something again where it is no longer of this shape.
  function once(name, shape, draws) {
    const now = JSON.stringify([state.file.id, shape]);
    if (shapes[name] !== now) draws();
    shapes[name] = now;
  }
  // Everything that is seen, from the state.
  function draw() {
    const { file, question, codes, open: step } = state,
      place = STEPS.indexOf(step);
    STEPS.forEach((name, i) => {
      const body = section(name),
        isNext = step === "file" && name === "who" && file && !codes;
      body.hidden = i > place && !isNext;
      body.classList.toggle("x-done", i < place);
      body.querySelector(".x-body").hidden = i < place;
      body.querySelector(".x-change").hidden = i >= place;
      body.querySelector(".x-line").textContent = i < place ? lines[name]() : "";
    });
    part("card").hidden = !file;
    if (!file) return nothing();
    const doubts = [...(codes ? [codes] : []), ...x.doubts(file.table, file.how)];
    once("card", codes, () => x.card(part, file, doubts, settle));
    const offer = (name, none, options) =>
        once(name, question[name], () =>
          x.offer(form.elements.namedItem(name), options, question[name], none),
        ),
      names = file.table.columns.map(({ name }) => name);
    offer("by", "no groups", x.offered(file.table, "share"));
    offer("person", "no column says it", names);
    const { whose } = question,
      suspect = x.suspect(file.table);
    for (const button of form.querySelectorAll("[data-whose]"))
      button.setAttribute("aria-pressed", button.dataset.whose === whose);
    part("several").hidden = whose !== "several";
    part("suspect").textContent = suspect
      ? `Most entries of ${x.fit(suspect, 40)} stand in several rows: does it name the person?`
      : "";
    once("asks", question.asks, () => x.asks(part("sentence"), part("ask"), question, file.table));
    once("limits", x.limited(question), () =>
      x.limitFields(part("limits"), part("limit"), question),
    );
    x.echo(part("limits"), question, file.how);
    for (const field of fields)
      if (field.type === "checkbox") field.checked = Boolean(question[field.name]);
      else if (field !== document.activeElement || !field.value) field.value = question[field.name];
    part("groups").hidden = !(question.hide && question.by);
    // a refusal that a button mends, or a column that does not fit, is said at once
    const what = step === "what" ? todo.what() : null,
      isUrgent = what?.choices || part("sentence").querySelector("[aria-invalid=true]");
    x.refuse(part("what-todo"), isUrgent ? what : null, mend);
    x.refuse(part("people-todo"), people() && x.peopleTodo(question, people()), mend);
    x.refuse(part("limits-todo"), null);
    const isElsewhere = question.who === "known";
    part("elsewhere").hidden = !isElsewhere;
    part("elsewhere-command").textContent = isElsewhere ? x.elsewhere(file, question) : "";
    drawPromise();
  }
  // What is said of a step that is done.
  const lines = {
    file: () => {
      const { name, table } = state.file;
      return `${name}: ${window.dpchoose.grouped(table.rows)} rows, ${table.columns.length} columns`;
    },
    who: () =>
      `Yes, everybody${state.question.dropMissing ? ", but for rows that miss a value" : ""}`,
    what: () => x.whatLine(state.question),
    limits: () => x.limitsLines(state.question, state.file.how).join(". "),
  };

  // The goal, the slider, which is there where there is an answer, and the answer.
  function drawPromise() {
    const { goal, value } = state.question,
      { refusal, result } = current() ?? {},
      distance = (factor) => Math.abs(Math.log(factor) - Math.log(value.replace(",", "."))),
      nearest = FACTORS.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    const { hide } = state.question;
    form.querySelector("option[value=error]").disabled = Boolean(hide);
    part("no-error").textContent = hide ? NO_ERROR : "";
    part("before").hidden = goal !== "risk";
    part("dial").hidden = goal !== "odds" || !state.answer;
    slider.max = FACTORS.length - 1;
    if (value) slider.value = FACTORS.indexOf(nearest);
    slider.setAttribute("aria-valuetext", value);
    slider.style.setProperty("--done", slider.value / slider.max);
    const none = result && !shown() ? { message: result.words.sentences[0] } : null,
      message = `No answer to this question: ${refusal?.message}`,
      empty = { message: `Without ${GOALS[goal]} no promise is made` };
    const wrong = refusal ? { ...refusal, message } : none;
    x.refuse(part("refused"), isEmpty() ? empty : wrong, mend);
    if (shown()) show(shown());
    else nothing();
  }
  // Where there is no answer nothing is seen, heard, printed or copied.
  function nothing() {
    clearTimeout(telling);
    part("answer").hidden = !(state.asking && shapes.answer) || isEmpty();
    part("paper-step").hidden = true;
    for (const name of ["spoken", "command", "sheet"]) part(name).replaceChildren();
    if (part("answer").hidden) shapes.answer = "";
  }
  function show(answer) {
    if (part("command").textContent && shapes.answer === answer.key) return;
    const { result, file, asked } = answer,
      { make } = file.set ?? {};
    shapes.answer = answer.key;
    part("answer").hidden = false;
    x.verdict(part, answer);
    const first = make ? `python -c '${make}'\n` : "";
    part("command").textContent = first + x.command(file, asked);
    clearTimeout(telling);
    telling = setTimeout(() => {
      if (current() === answer) part("spoken").textContent = result.words.sentences[0];
    }, REST);
  }

  // Shows that something is at work if it takes longer than one would wait.
  async function during(doing, work) {
    root.toggleAttribute("data-busy", Boolean(++working));
    const began = performance.now(),
      bar = part("progress").querySelector("progress");
    bar.removeAttribute("value");
    const ticking = setInterval(() => {
      part("doing").textContent = `${doing}, ${Math.floor((performance.now() - began) / 1000)} s`;
      part("progress").hidden = false;
    }, WAIT);
    try {
      return await work;
    } finally {
      clearInterval(ticking);
      part("progress").hidden = true;
      // when what follows has begun
      setTimeout(() => root.toggleAttribute("data-busy", Boolean(--working)));
    }
  }
  const advance = (share) => (part("progress").querySelector("progress").value = share);

  function take(chosen) {
    if (chosen.length === 1) return open(chosen[0]);
    const message = `One file must be dropped, got ${chosen.length || "none"}`;
    x.refuse(part("wrong"), { message });
  }
  // Puts what is selected on the clipboard, also where the page came over plain http, and says so.
  function copy(place) {
    document.execCommand("copy");
    part(place).textContent = "Copied";
    setTimeout(() => (part(place).textContent = ""), 4000);
  }

  // What is typed or chosen in any field.
  form.addEventListener("change", ({ target }) => {
    clearTimeout(typing);
    const { name, type, value, dataset, files: chosen } = target,
      { question } = state,
      text = value.trim();
    if (chosen) {
      take([...chosen]);
      target.value = ""; // so that the same file can be taken again, and none is remembered
      return;
    }
    if (part("signs").contains(target)) return reread({ [name]: value });
    if (dataset.field) {
      const others = dataset.field === "value" ? {} : { value: "" };
      Object.assign(question.asks[dataset.ask], others, { [dataset.field]: value });
    } else if (dataset.limit !== undefined) {
      const pair = question.limits[dataset.limit] ?? ["", ""];
      question.limits[dataset.limit] = pair.with(dataset.end, text);
    } else if (type === "checkbox") question[name] = target.checked ? value : "";
    else if (name === "goal") {
      const error = current()?.result?.public?.[0] ?? "";
      const begin = { odds: ["3"], risk: ["10%", "1%"], error: [String(error)] }[value];
      Object.assign(question, { goal: value, value: begin[0], before: begin[1] ?? "" });
    } else if (name) question[name] = text || (GOAL.includes(name) ? "" : x.BLANK[name]);
    changed();
  });
  // A factor is shown as it is typed, before the field is left; none is, as soon as it is empty.
  form.addEventListener("input", ({ target: { name, value } }) => {
    clearTimeout(typing);
    const text = value.trim();
    if (!GOAL.includes(name)) return;
    if (text) typing = setTimeout(() => mend({ [name]: text }), REST);
    else mend({ [name]: "" });
  });
  slider.addEventListener("input", () => mend({ goal: "odds", value: FACTORS[slider.value] }));
  const decide = (who) => {
    state.question.who = who;
    next();
  };
  const pressed = {
    own: () => open(new File([own.csv], own.file), { how: {}, set: own }),
    everybody: () => decide("everybody"),
    known: () => decide("known"),
    add: () => {
      state.question.asks.push({ query: "mean", column: "", value: "" });
      changed();
    },
    cancel: () => (state.reading ?? state.file).work.stop(),
    copy: () => {
      getSelection().selectAllChildren(part("command"));
      copy("copied");
    },
    link: () => {
      const address = new URL(location.href);
      address.hash = x.toAddress(state.question, state.file.how);
      part("linked").hidden = false;
      part("address").value = address.href;
      part("address").select();
      copy("link-copied");
    },
    paper: () => {
      state.isWanted = Boolean(state.asking); // then as soon as there is an answer
      if (!shown()) return;
      part("paper-step").hidden = false;
      x.sheet(part("sheet"), shown());
      part("sheet").focus({ preventScroll: true });
      part("paper-step").scrollIntoView({ block: "start" });
    },
    print: () => print(),
  };
  form.addEventListener("click", ({ target }) => {
    const { dataset, classList } = target,
      { whose } = dataset,
      { step } = target.closest(".x-step")?.dataset ?? {};
    if (pressed[dataset.part]) pressed[dataset.part]();
    else if (whose) {
      const person = whose === "several" ? x.suspect(state.file.table) : "";
      mend({ whose, person, perPerson: x.BLANK.perPerson, keepRows: "" });
    } else if (classList.contains("x-change")) go(step);
    else if (classList.contains("x-less")) {
      state.question.asks.splice(dataset.ask, 1);
      changed();
    } else if (classList.contains("x-next")) goOn(step);
  });
  part("cut").addEventListener("toggle", () => {
    if (part("cut").open && shown()) x.cuts(part, shown());
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (shown() && width !== innerWidth) x.verdict(part, shown());
    width = innerWidth;
  });
  // nothing of a file comes back
  addEventListener("pageshow", (event) => event.persisted && location.reload());

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", ({ key: pressedKey, target }) => {
    if (pressedKey !== "Enter" || !target.matches("input[type=text]")) return;
    const body = target.closest(".x-step");
    target.blur();
    const empty = body.querySelector("[data-limit]:placeholder-shown");
    if (empty) empty.focus();
    else body.querySelector(".x-next")?.click();
  });
  // this page may submit no form, but it may go elsewhere
  for (const search of document.querySelectorAll("form.bd-search"))
    search.addEventListener("submit", (event) => {
      event.preventDefault();
      location.href = `${search.action}?${new URLSearchParams(new FormData(search))}`;
    });
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
    addEventListener(kind, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      root.classList.toggle("x-over", kind === "dragenter" || kind === "dragover");
      if (kind === "drop") take([...event.dataTransfer.files]);
    });

  part("own").textContent = own.words;
  form.hidden = false;
  draw();
})(window.explorer);
