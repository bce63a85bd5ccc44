/**
 * @param {readonly number[]} values
 * @param {number} share of the values that are below the result; 0.5 for the median
 */
export const percentile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN;

/** @param {number} value in milliseconds */
export const formatMs = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

/** @param {boolean} isMet */
export const verdict = (isMet) => (isMet ? 'met' : 'missed');
