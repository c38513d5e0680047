// What the worker of the page does: it reads a file once, and answers questions about it.
((dp) => {
  "use strict";
  dp.serve = (scope) => {
    const tell = (share) => scope.postMessage({ share });
    const isShut = (file) =>
      dp.bytesOf(file, 0, 1).then(
        () => false,
        () => true,
      );
    let source = null,
      read = [];
    scope.onmessage = async ({ data: { file, how, look, question } }) => {
      try {
        // a worker of WebKit's may read no file where the page came from a disk; the page may
        if (file && (await isShut(file))) return scope.postMessage({ hand: true });
        if (file) read = [file, how];
        const { person = "" } = question ?? look ?? {};
        if (file || (person && person !== source.person))
          source = new dp.Source(await dp.readTable(...read, tell, person), person);
        const told = () => (look ? source.look(look) : source.summary());
        scope.postMessage({ done: question ? source.ask(question) : told() });
      } catch ({ message, choices = [] }) {
        scope.postMessage({ error: { message, choices } });
      }
    };
  };
})(globalThis.dpchoose);
