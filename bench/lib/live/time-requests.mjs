/**
 * @typedef {{ p50: number, p99: number }} Latencies milliseconds
 *
 * @param {() => Promise<unknown>} request
 * @param {number} count
 * @returns {Promise<Latencies>}
 */
export async function timeRequests(request, count) {
  const latencies = [];
  for (let sent = 0; sent < count; sent += 1) {
    const startedAt = performance.now();
    await request();
    latencies.push(performance.now() - startedAt);
  }
  return percentiles(latencies);
}

/**
 * @param {number[]} latencies
 * @returns {Latencies}
 */
export function percentiles(latencies) {
  const sorted = [...latencies].sort((a, b) => a - b);
  const percentile = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50: percentile(0.5), p99: percentile(0.99) };
}

/**
 * The median of each figure over several rounds.
 * @param {Latencies[]} rounds
 * @returns {Latencies}
 */
export const medians = (rounds) => ({
  p50: percentiles(rounds.map(({ p50 }) => p50)).p50,
  p99: percentiles(rounds.map(({ p99 }) => p99)).p50,
});
