// The worker that reads a file and computes, so that the page never waits. A file has a worker of
// its own: one that is refused or given up goes with its worker, and the file before it is still
// there.
((x) => {
  "use strict";
  let source;
  const address = () =>
    (source ??= URL.createObjectURL(
      new Blob([document.getElementById("x-shared").textContent, "dpchoose.serve(self);"], {
        type: "text/javascript",
      }),
    ));

  x.Work = class {
    #worker = new Worker(address());
    #waiting = new Map();
    #last = 0;

    constructor() {
      this.#worker.onmessage = ({ data }) => this.#heard(data);
      this.#worker.onerror = (event) => {
        event.preventDefault();
        this.stop(
          "the computation must end, got too much for this browser: try fewer rows or answers",
        );
      };
    }

    // What the worker answers; `progress` is called with a share, or with NaN for "still at it".
    ask(what, progress = () => {}) {
      const id = ++this.#last;
      return new Promise((done, wrong) => {
        this.#waiting.set(id, { done, wrong, progress });
        this.#worker.postMessage({ id, ...what });
      });
    }

    #heard({ id, progress, done, error, asks, superseded }) {
      const waiting = this.#waiting.get(id);
      if (!waiting) return;
      if (progress !== undefined) return waiting.progress(progress);
      this.#waiting.delete(id);
      if (superseded) waiting.wrong(Object.assign(new Error(), { given: true }));
      else if (error === undefined) waiting.done(done);
      else waiting.wrong(Object.assign(new Error(error), { asks }));
    }

    // Ends the worker; whoever waits hears why, or that it was given up.
    stop(why) {
      this.#worker.terminate();
      for (const { wrong } of this.#waiting.values())
        wrong(Object.assign(new Error(why), { given: why === undefined }));
      this.#waiting.clear();
      this.stopped = true;
    }
  };
})(window.explorer);
