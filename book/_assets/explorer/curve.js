// The curve that the risk is dragged along: the risks of every adversary at more and at less noise, in the proportions
// that the answers have now. A few points find where the curve bends, then more of them are put there.
((x) => {
  "use strict";
  const COARSE = Array.from({ length: 15 }, (_, i) => 10 ** ((i - 7) / 2));
  const FINE = 40, FEW = 12;
  const SLOW = 200; // milliseconds for one point, from which there are few
  const TRIED = ["1/2", "0.9", "0.1", "0.99", "0.01"];
  const usable = (found) => found.table.some((row) => row.noiseScale > 0 && Number.isFinite(row.noiseScale));

  // `ask` asks the worker, `stale` says whether another question has come in between; then there is no curve.
  // Returns { scales, risks } by factor of the noise, or null where no noise changes anything.
  x.curve = async (ask, found, stale) => {
    let base = found;
    for (const risk of TRIED) {
      if (usable(base) || stale()) break;
      base = await ask({ do: "recommend", risk });
    }
    if (!usable(base) || stale()) return null;
    const scales = base.table.map((row) => row.noiseScale);
    let once = 1; // points in one message, after which another question is heard
    const at = async (factors) => {
      const risks = [];
      for (let i = 0; i < factors.length && !stale(); i += once) {
        const rows = factors.slice(i, i + once).map((factor) => scales.map((scale) => scale * factor));
        risks.push(...(await ask({ do: "curve", scales: rows })));
      }
      return risks;
    };
    const began = performance.now();
    await at([1]);
    const slow = performance.now() - began > SLOW;
    if (!slow) once = 8;
    const [steps, fine] = slow ? [COARSE.filter((_, i) => i % 2), FEW] : [COARSE, FINE];
    const coarse = await at(steps);
    if (stale()) return null;
    const odds = coarse.map((risks) => x.logOdds(Math.min(0.9995, risks.world)));
    const [most, least] = [Math.max(...odds), Math.min(...odds)];
    const moves = odds.map((value) => value < most - 0.02 && value > least + 0.1);
    const from = Math.max(0, moves.indexOf(true) - 1), to = Math.min(steps.length - 1, moves.lastIndexOf(true) + 1);
    const [low, high] = moves.includes(true) ? [steps[from], steps[to]] : [0.01, 100];
    const factors = Array.from({ length: fine + 1 }, (_, i) => low * (high / low) ** (i / fine));
    const risks = await at(factors);
    return stale() ? null : { scales, factors, risks, prior: coarse.at(-1).world };
  };
})(window.explorer);
