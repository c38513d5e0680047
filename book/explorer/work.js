// The worker that reads a file and computes, so that the page never waits. A file has a worker of
// its own: one that is refused or given up goes with its worker, and the file before it is still
// there.
((x) => {
  "use strict";
  const address = URL.createObjectURL(
    new Blob([document.getElementById("x-shared").textContent, "dpchoose.serve(self);"], {
      type: "text/javascript",
    }),
  );

  x.Work = class {
    #worker = new Worker(address);
    #wrong = () => {};
    #last = null;

    // What the worker answers to one message after the other; `tell` hears the share that is read.
    async ask(message, tell) {
      const before = this.#last,
        asked = before ? before.then(() => this.#post(message, tell)) : this.#post(message, tell);
      this.#last = asked.catch(() => {});
      return asked;
    }
    #post(message, tell) {
      return new Promise((done, wrong) => {
        if (this.stopped) return wrong({ message: "" });
        this.#wrong = wrong;
        this.#worker.onmessage = ({ data }) => {
          if (data.share !== undefined) tell(data.share);
          else if (data.error) wrong(data.error);
          else done(data.done);
        };
        this.#worker.onerror = (event) => {
          event.preventDefault();
          this.stop(
            "the computation must end, got too much for this browser: ask dpchoose epsilon",
          );
        };
        this.#worker.postMessage(message);
      });
    }

    // Ends the worker; whoever waits hears why, or that it was given up.
    stop(message = "") {
      this.#worker.terminate();
      this.stopped = true;
      this.#wrong({ message });
    }
  };
})(window.explorer);
