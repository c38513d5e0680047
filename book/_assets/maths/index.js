// All of the mathematics, for node: require("./index.js") gives the object that a page calls dpchoose.
"use strict";
for (const name of [
  "exact", "text", "codes", "decay", "sweep", "inverse", "risk", "worlds", "counting", "listing", "sensitivity", "shells", "records",
  "curves", "setting", "groups", "sentences", "describe", "recommend", "read", "columns", "worker",
]) {
  require(`./${name}.js`);
}
module.exports = globalThis.dpchoose;
