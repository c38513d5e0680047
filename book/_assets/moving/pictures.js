// What the pictures that move draw: beliefs and risks by their definitions, a choice at random, randomized response.
dpchoose.part((dp) => {
  "use strict";
  const total = (values) => values.reduce((sum, value) => sum + value, 0);

  // What is believed of each world once an output is known; the prior is uniform where none is given.
  function posterior(answers, output, { rate, prior = null }) {
    const logs = answers.map((answer, i) => Math.log(prior ? prior[i] : 1) - rate * Math.abs(output - answer)), top = Math.max(...logs);
    const likely = logs.map((one) => Math.exp(one - top)), whole = total(likely);
    return likely.map((one) => one / whole);
  }

  // The largest posterior of any world after any output: 1 over the largest sum that fades around an answer.
  const tightBound = (answers, { rate }) => Math.max(...answers.map((one) => 1 / total(answers.map((other) => Math.exp(-rate * Math.abs(one - other))))));

  // The chance of each outcome of the exponential mechanism.
  function choiceProbabilities(scores, { epsilon, sensitivity }) {
    const best = Math.max(...scores), likely = scores.map((score) => Math.exp((epsilon * (score - best)) / (2 * sensitivity)));
    return likely.map((value) => value / total(likely));
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

  const meanOf = (values) => total(values) / values.length;
  function medianOf(values) {
    const sorted = [...values].sort((a, b) => a - b), middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  return { posterior, tightBound, choiceProbabilities, randomizedResponse, meanOf, medianOf };
});
