/**
 * @typedef {{ p50: number, p99: number }} Times milliseconds
 *
 * @param {(turn: number) => Promise<unknown>} request
 * @param {number} times
 * @returns {Promise<Times>}
 */
export async function timeRequests(request, times) {
  const taken = [];
  for (let turn = 0; turn < times; turn += 1) {
    const began = performance.now();
    await request(turn);
    taken.push(performance.now() - began);
  }
  return percentiles(taken);
}

/**
 * @param {number[]} taken
 * @returns {Times}
 */
export function percentiles(taken) {
  const sorted = [...taken].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/**
 * The median of some rounds, of each figure.
 * @param {Times[]} rounds
 * @returns {Times}
 */
export const medians = (rounds) => ({
  p50: percentiles(rounds.map(({ p50 }) => p50)).p50,
  p99: percentiles(rounds.map(({ p99 }) => p99)).p50,
});
