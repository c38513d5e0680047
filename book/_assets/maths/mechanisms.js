// What the pictures of the other mechanisms draw: a choice at random, randomized response, a mean and a median.
((part) => {
  const dp = (globalThis.dpchoose ??= { parts: [] });
  Object.assign(dp, part(dp));
  dp.parts.push(part);
  if (typeof module === "object") module.exports = dp;
})((dp) => {
  "use strict";

  // The chance of each outcome of the exponential mechanism, exp(epsilon u / (2 sensitivity)) over its sum.
  function choiceProbabilities(scores, { epsilon, sensitivity }) {
    const best = Math.max(...scores);
    const likely = scores.map((score) => Math.exp((epsilon * (score - best)) / (2 * sensitivity)));
    const whole = dp.sum(likely)[0];
    return likely.map((value) => value / whole);
  }

  // Randomized response: how often an answer is true, and what the share of yes among the answers says of the truths.
  function randomizedResponse(epsilon) {
    const truth = 1 / (1 + Math.exp(-epsilon)), slope = Math.tanh(epsilon / 2);
    return {
      truth,
      estimate: (yes) => (yes + truth - 1) / slope,
      uncertainty: (yes, respondents) => (2 / slope) * Math.sqrt((yes * (1 - yes)) / respondents),
      risk: (share) => 1 / (1 + (Math.exp(-epsilon) * (1 - share)) / share),
    };
  }

  const meanOf = (values) => dp.sum(values)[0] / values.length;
  function medianOf(values) {
    const sorted = [...values].sort((a, b) => a - b), middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  return { choiceProbabilities, randomizedResponse, meanOf, medianOf };
});
