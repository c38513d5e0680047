// The equations of the chapters for a handful of worlds, as their pictures draw them: dpchoose.posterior and its like.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})(() => {
  "use strict";
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const even = (answers) => answers.map(() => 1 / answers.length);

  // eq-posterior, for one output; rate is 1/scale. Distances are taken from the nearest world.
  function posterior(answers, output, { rate, prior = even(answers) }) {
    const away = answers.map((answer) => Math.abs(output - answer));
    const nearest = Math.min(...away.filter((_, i) => prior[i] > 0));
    const likely = away.map((distance, i) => (prior[i] > 0 ? prior[i] * Math.exp(-rate * (distance - nearest)) : 0));
    return likely.map((value) => value / sum(likely));
  }

  // eq-tight: the output that speaks most for a world is that world's answer.
  const tightBound = (answers, given) => Math.max(...answers.map((answer, i) => posterior(answers, answer, given)[i]));

  // eq-exponential: the chance of each outcome.
  function choiceProbabilities(scores, epsilon, sensitivity) {
    const best = Math.max(...scores);
    const likely = scores.map((score) => Math.exp((epsilon * (score - best)) / (2 * sensitivity)));
    return likely.map((value) => value / sum(likely));
  }

  // eq-rr-truth, eq-rr-estimate, eq-rr-uncertainty: randomized response at an epsilon.
  const truthProbability = (epsilon) => 1 / (1 + Math.exp(-epsilon));
  const estimateOfShare = (epsilon, yes) => (yes + truthProbability(epsilon) - 1) / Math.tanh(epsilon / 2);
  const uncertaintyOfShare = (epsilon, yes, respondents) => (2 / Math.tanh(epsilon / 2)) * Math.sqrt((yes * (1 - yes)) / respondents);

  const mean = (values) => sum(values) / values.length;
  function median(values) {
    const sorted = [...values].sort((a, b) => a - b), middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  return { posterior, tightBound, choiceProbabilities, truthProbability, estimateOfShare, uncertaintyOfShare, mean, median };
});
