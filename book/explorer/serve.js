// What the worker of the page does: it reads a file once, and answers questions about it.
((dp) => {
  "use strict";
  dp.serve = (scope) => {
    const tell = (share) => scope.postMessage({ share });
    let source = null,
      read = [];
    scope.onmessage = async ({ data: { file, how, question } }) => {
      try {
        if (file) read = [file, how];
        const person = question?.person ?? "";
        if (file || (person && person !== source.person))
          source = new dp.Source(await dp.readTable(...read, tell, person), person);
        scope.postMessage({ done: question ? source.ask(question) : source.summary() });
      } catch ({ message, choices = [] }) {
        scope.postMessage({ error: { message, choices } });
      }
    };
  };
})(globalThis.dpchoose);
