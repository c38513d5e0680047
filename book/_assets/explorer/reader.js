// Catches the text of Papa Parse, which is loaded next, for the worker that reads files with it.
globalThis.define = Object.assign((_, factory) => {
  dpchoose.readerSource = String(factory);
  delete globalThis.define;
}, { amd: true });
