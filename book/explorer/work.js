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

  // A file with what is in it, for a worker that may not read it.
  async function handOver(file) {
    const { name, size } = file,
      content = await window.dpchoose.bytesOf(file, 0, size);
    return { file: { name, size, content } };
  }

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
        const post = (read = {}) => this.#worker.postMessage({ ...message, ...read });
        this.#wrong = wrong;
        this.#worker.onmessage = ({ data }) => {
          if (data.hand) handOver(message.file).then(post, wrong);
          else if (data.share !== undefined) tell(data.share);
          else if (data.error) wrong(data.error);
          else done(data.done);
        };
        this.#worker.onerror = (event) => {
          event.preventDefault();
          this.stop(
            "the computation must end, got too much for this browser: ask dpchoose epsilon",
          );
        };
        post();
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
