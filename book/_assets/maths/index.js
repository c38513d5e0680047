// All of the mathematics, for node: require("./index.js") gives the object that a page calls dpchoose.
"use strict";
require("./core.js");
dpchoose.Papa = require("../vendor/papaparse.min.js");
for (const name of ["text", "known", "everybody", "result", "source"]) require(`./${name}.js`);
for (const name of ["read", "serve"]) require(`../explorer/${name}.js`);
module.exports = dpchoose;
