/** A process that lived this long was well: its next death counts as the first. */
export const STABLE_MS = 10_000;

const MAX_MS = 5_000;

/**
 * How long to wait before a process is started again: not at all after its first death, then 0.2 s, doubled up to 5 s.
 * @param {number} deaths quick deaths in a row, this one included
 * @returns {number} milliseconds
 */
export function restartDelay(deaths) {
  return deaths <= 1 ? 0 : Math.min(MAX_MS, 100 * 2 ** (deaths - 1));
}
