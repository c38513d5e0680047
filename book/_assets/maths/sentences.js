// What may be said to whoever signs: each sentence names its reader and is true as worded.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";
  const FEW = 8; // answers whose scales are said one by one

  const answersOf = (found) => found.table.length + found.facts.published.length;

  function sentences(found) {
    const said = [released(found)];
    if (["cannot be met", "nothing left"].includes(found.status)) {
      return [...said, `Nothing more can be published at this risk: ${found.reason}.`];
    }
    return [...said, ...noise(found), world(found), torn(found), ...LIMITS];
  }

  function released(found) {
    const { releaseSize, records } = found.facts;
    const rows = releaseSize > 1 ? `${dp.grouped(releaseSize)} released records` : "one released record";
    return `${answersOf(found) === 1 ? "The answer is" : "The answers are"} computed on the ${rows}, never on all ` +
      `${dp.grouped(records)} of the file: if all of these are published, nothing is promised.`;
  }

  function noise(found) {
    const { table, facts } = found, scales = table.map((row) => row.noiseScale);
    let said;
    if (scales.every((scale) => scale === 0)) {
      said = ["No noise is added."];
    } else if (table.length <= FEW) {
      said = table.map(ofOne);
    } else {
      const low = scales.reduce((a, b) => Math.min(a, b)), high = scales.reduce((a, b) => Math.max(a, b));
      said = [`Laplace noise is added to each of ${dp.grouped(table.length)} answers, of the scale in its row, ` +
        `${dp.roundUp(low)} to ${dp.roundUp(high)}.`];
    }
    if (table.length > 1) {
      said.push(`All ${facts.published.length ? "new " : ""}answers together have ${named(found.epsilon)}.`);
    }
    for (const [label, scale] of facts.published) {
      said.push(`Already out is ${label} with noise of scale ${dp.general(scale, 6)}.`);
    }
    if (facts.published.length) {
      said.push(`With what is out that is ${named(facts.total)}, and all that follows is about both.`);
    }
    return said;
  }

  const named = (epsilon) => epsilon === Infinity ? "no finite epsilon" : `epsilon ${dp.roundDown(epsilon)}`;

  // How sure somebody may end.
  const ends = (value) => value === 1 ? "may end certain" : `ends at most ${dp.chance(value)} sure`;

  function ofOne(row) {
    if (row.noiseScale === Infinity) return `${row.statistic} is not to be published: its share of the risk is 0.`;
    if (row.noiseScale === 0) return `No noise is added to ${row.statistic}.`;
    return `Laplace noise of scale ${dp.roundUp(row.noiseScale)} is added to ${row.statistic} ` +
      `(epsilon ${dp.roundDown(row.epsilon)}); 95 times in 100 it is smaller than ${dp.roundUp(row.halfWidth)}.`;
  }

  function world(found) {
    const { records, releaseSize, worlds } = found.facts, sure = ends(found.risks.world);
    const together = answersOf(found) > 1 ? " from all answers together" : "";
    if (releaseSize === records - 1) {
      return `Someone who knows all ${dp.grouped(records)} records, and to whom each is equally likely to be the one ` +
        `left out, ${sure} which one it is${together}.`;
    }
    const of = releaseSize > 1 ? `${dp.grouped(releaseSize)} of them are` : "one of them is";
    return `Someone who knows all ${dp.grouped(records)} records and that ${of} released, and to whom each of the ` +
      `${worlds} possible choices is equally likely, ${sure} of the right one${together}.`;
  }

  function torn(found) {
    const { risks, facts } = found, most = facts.worldExact ? "" : "at most ";
    const sure = risks.torn === 1 ? "certain" : `${most}${dp.chance(risks.torn)} sure`;
    return `Someone who is torn between two of these choices, and holds each for as likely as the other, may end ${sure}.`;
  }

  const LIMITS = [
    "This holds for these answers, published once. The same answer again, or one about a part of the same records, is " +
      "a further answer: it needs a new calculation that counts these in, and answers on changed data are promised " +
      "nothing together with them.",
    "A row is one record. Where a person has several, this is about a record and not about the person.",
    "Scale and epsilon are computed from all known records and the number released, not from the release: they tell " +
      "this adversary nothing new, and others something about the file.",
  ];

  return { sentences };
});
