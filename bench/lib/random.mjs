/** @typedef {() => number} Random returns a number from 0 to less than 1 */

/**
 * Mulberry32: a small generator, whose sequence depends on the seed alone.
 * @param {number} seed an integer
 * @returns {Random}
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Draws from an exponential distribution.
 * @param {Random} random
 * @param {number} mean
 */
export const exponential = (random, mean) => -Math.log(1 - random()) * mean;

/**
 * Draws an index with a probability in proportion to its weight.
 * @param {Random} random
 * @param {number[]} weights
 */
export function weightedIndex(random, weights) {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}

/**
 * @param {ArrayLike<number>} sorted ascending
 * @param {number} share from 0 to 1
 * @returns {number} NaN if there are no values
 */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
