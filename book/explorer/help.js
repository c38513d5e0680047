// What every part of the page writes and draws with. A name or a label out of a file is text
// wherever it stands.
window.explorer = { ...window.nodes };
((x) => {
  "use strict";
  x.p = (text) => x.el("p", {}, text);
  // A row of a table, whose first cell names it.
  x.row = (first, ...rest) =>
    x.el(
      "tr",
      {},
      x.el("th", { scope: "row" }, first),
      ...rest.map((cell) => x.el("td", {}, cell)),
    );
  x.button = (words, pressed) => {
    const button = x.el("button", { type: "button" }, words);
    button.addEventListener("click", pressed);
    return button;
  };
  // The options of a select behind none of them; a choice that is not among them is marked.
  x.offer = (select, options, chosen, none) => {
    const isStrange = chosen && !options.includes(chosen),
      strange = isStrange ? [new Option(`${x.fit(chosen, 24)} (does not fit)`, chosen)] : [],
      offered = options.map((text) => new Option(x.fit(text, 40), text));
    select.replaceChildren(new Option(none, ""), ...strange, ...offered);
    select.value = chosen;
    select.setAttribute("aria-invalid", Boolean(isStrange));
  };
  // The buttons of choices: `choose` is called with what is meant.
  x.choices = (choices, choose) =>
    choices.map(({ words, ...meant }) => x.button(words, () => choose(meant)));
  // Says a refusal in its place, and its ways out in the place behind it.
  x.refuse = (place, refusal, choose) => {
    const { message = "", choices = [] } = refusal ?? {},
      buttons = place.nextElementSibling,
      said = JSON.stringify([message, choices]);
    // what stands there stays: a button on which somebody presses is not put in anew
    if (place.said === said) return;
    place.said = said;
    place.textContent = x.ended(message);
    buttons.hidden = !choices.length;
    buttons.replaceChildren(...x.choices(choices, choose));
  };
  x.ended = (sentence) => sentence + (!sentence || /[.?]$/.test(sentence) ? "" : ".");
  x.capital = (sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1);
  // As much of a text as there is room for.
  x.fit = (words, most) => (words.length <= most ? words : `${words.slice(0, most - 1)}…`);

  // What an answer is called, in words.
  x.named = (label) =>
    label.replace(/^(mean|sum|share|centred sum):/, "$1 of ").replace(/^count/, "number of rows");
})(window.explorer);
