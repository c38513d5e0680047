// All of the mathematics, for node: require("./index.js") gives the object that a page calls dpchoose.
"use strict";
require("./core.js");
dpchoose.Papa = require("../vendor/papaparse.min.js");
for (const name of ["text", "read", "known", "everybody", "result", "worker"]) require(`./${name}.js`);
module.exports = dpchoose;
