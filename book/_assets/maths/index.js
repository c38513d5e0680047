// All of the mathematics, for node: require("./index.js") gives the object that a page calls dpchoose.
"use strict";
for (const name of [
  "text", "exact", "decay", "risk", "inverse", "worlds", "counting", "listing", "sensitivity",
  "shells", "records", "groups", "setting", "sentences", "recommend", "read", "columns", "worker",
]) {
  require(`./${name}.js`);
}
module.exports = globalThis.dpchoose;
