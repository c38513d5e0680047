// All that a worker of the page has, for node: the words are a file that DPCHOOSE_WORDS names.
"use strict";
const { words, shared } = require(process.env.DPCHOOSE_WORDS);
globalThis.dpchoose = { words };
for (const name of shared) require(`../../book/explorer/${name}.js`);
