// What the worker of the page does: it reads a file once, and answers questions about it, of which
// only the last counts.
((dp) => {
  "use strict";
  dp.serve = (scope) => {
    const waiting = [];
    let source = null,
      busy = false;
    const work = {
      async read({ file, how }, tell) {
        source = new dp.Source(await dp.readTable(file, how, tell));
        return source.summary();
      },
      async ask({ question }) {
        return source.ask(question);
      },
    };
    async function run() {
      busy = true;
      while (waiting.length) {
        await new Promise((done) => setTimeout(done, 0)); // so that what came meanwhile is seen
        const message = waiting.shift(),
          { id } = message;
        if (message.do === "ask" && waiting.some((later) => later.do === "ask"))
          scope.postMessage({ id, superseded: true });
        else
          await work[message.do](message, (progress) => scope.postMessage({ id, progress })).then(
            (done) => scope.postMessage({ id, done }),
            (error) => scope.postMessage({ id, error: error.message, asks: error.asks ?? null }),
          );
      }
      busy = false;
    }
    scope.onmessage = ({ data }) => {
      waiting.push(data);
      if (!busy) run();
    };
  };
})(globalThis.dpchoose);
