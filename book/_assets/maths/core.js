// The parts of the mathematics are functions, so that the text of a worker can be made of them: a page that was opened
// from a disk cannot fetch a script. The first part holds the one kind of error that is a sentence for the reader.
globalThis.dpchoose = {
  parts: [],
  part(make) {
    Object.assign(globalThis.dpchoose, make(globalThis.dpchoose));
    globalThis.dpchoose.parts.push(make);
  },
};
dpchoose.part(() => {
  "use strict";
  // `asks` is what has to be chosen before there can be an answer: { name, choices }.
  class Refusal extends Error {
    constructor(message, asks = null) {
      super(message);
      this.asks = asks;
    }
  }
  const refuse = (message, asks) => { throw new Refusal(message, asks); };
  return { Refusal, refuse };
});
