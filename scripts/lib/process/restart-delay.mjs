/** A process with this uptime counts as stable: its next death counts as the first. */
export const STABLE_MS = 10_000;

const MAX_DELAY_MS = 5_000;

/**
 * The delay before a restart: none after the first death, then 0.2 s, doubled up to 5 s.
 * @param {number} deaths quick deaths in a row, including the last one
 * @returns {number} milliseconds
 */
export function restartDelay(deaths) {
  return deaths <= 1 ? 0 : Math.min(MAX_DELAY_MS, 100 * 2 ** (deaths - 1));
}
