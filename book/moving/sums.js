// The sums behind the pictures: beliefs and risks by their definitions, a choice at random,
// randomized response.
(() => {
  const total = (values) => values.reduce((sum, value) => sum + value, 0);

  // The belief in each world once an output is known; the prior is uniform where none is given.
  function posterior(answers, output, { rate, prior = null }) {
    const logs = answers.map(
      (answer, i) => Math.log(prior ? prior[i] : 1) - rate * Math.abs(output - answer),
    );
    const largest = Math.max(...logs),
      weights = logs.map((log) => Math.exp(log - largest)),
      sum = total(weights);
    return weights.map((weight) => weight / sum);
  }

  // The tight bound: the largest posterior of any world after any output, which some answer itself
  // attains.
  const tightBound = (answers, { rate }) => {
    const around = (answer) =>
      total(answers.map((other) => Math.exp(-rate * Math.abs(answer - other))));
    return 1 / Math.min(...answers.map(around));
  };

  // The upper bound: as if all other answers were as far away as the farthest two are.
  const upperBound = (answers, { rate }) => {
    const spread = Math.max(...answers) - Math.min(...answers);
    return 1 / (1 + (answers.length - 1) * Math.exp(-rate * spread));
  };

  // The largest epsilon at which a bound that rises with it keeps a risk, or "any", or "no".
  function epsilonFromRisk(bound, risk) {
    const before = bound(0);
    if (before > risk || (before === risk && bound(1) > before)) return "no";
    let [low, high] = [0, 1];
    while (bound(high) <= risk) {
      high *= 2;
      if (high > 1e9) return "any";
    }
    for (let i = 0; i < 100; i++) {
      const middle = (low + high) / 2;
      if (bound(middle) <= risk) low = middle;
      else high = middle;
    }
    return low;
  }

  // The chance of each outcome of the exponential mechanism.
  function choiceProbabilities(scores, { epsilon, sensitivity }) {
    const best = Math.max(...scores),
      weights = scores.map((score) => Math.exp((epsilon * (score - best)) / (2 * sensitivity)));
    return weights.map((weight) => weight / total(weights));
  }

  // Randomized response: how often an answer is true, and what the share of yes among the answers
  // says of the truths.
  function randomizedResponse(epsilon) {
    const truth = 1 / (1 + Math.exp(-epsilon)),
      slope = Math.tanh(epsilon / 2);
    return {
      truth,
      estimate: (yes) => (yes + truth - 1) / slope,
      uncertainty: (yes, respondents) => (2 / slope) * Math.sqrt((yes * (1 - yes)) / respondents),
      risk: (share) => 1 / (1 + (Math.exp(-epsilon) * (1 - share)) / share),
    };
  }

  const mean = (values) => total(values) / values.length;
  function median(values) {
    const sorted = [...values].sort((a, b) => a - b),
      middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  const variance = (values) => mean(values.map((value) => (value - mean(values)) ** 2));
  const QUERIES = { mean, median, sum: total, var: variance };

  // The answer without each of the records, and how far one record more or less can move an answer
  // about all but one of them.
  const without = (values, place) => values.filter((_, i) => i !== place);
  const leftOut = (query, values) => values.map((_, i) => QUERIES[query](without(values, i)));
  function globalSensitivity(query, values) {
    const ask = QUERIES[query];
    const steps = values.flatMap((_, i) => {
      const release = without(values, i);
      const near = release.length > 1 ? leftOut(query, release) : [];
      return [ask(values), ...near].map((answer) => Math.abs(answer - ask(release)));
    });
    return Math.max(...steps);
  }

  Object.assign(window.moving, {
    QUERIES,
    leftOut,
    globalSensitivity,
    epsilonFromRisk,
    posterior,
    tightBound,
    upperBound,
    choiceProbabilities,
    randomizedResponse,
    mean,
    median,
  });
})();
