import { INPUT } from '../chains.mjs';
import { makeLines } from '../parts.mjs';
import { FIBONACCI_NUMBERS, PARTS } from './apps/steps.mjs';

/**
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} title head of its column
 * @property {string} chain which steps a run has: a key of `CHAINS`, or w3
 * @property {number} runs of each measurement
 * @property {number} inFlight how many of them are under way at once
 * @property {boolean} warmUp whether a measurement that does not count comes first
 * @property {string} [outputFile] file in the folder of a run that a peer writes its output to
 * @property {(seconds: number, runs: number) => number} toValue
 * @property {number} digits after the point
 */

const runsPerSecond = (/** @type {number} */ seconds, /** @type {number} */ runs) => runs / seconds;
const secondsPerRun = (/** @type {number} */ seconds, /** @type {number} */ runs) => seconds / runs;
const STEPS = 10;

/** @type {Workload[]} */
export const WORKLOADS = [
  {
    ...{ name: 'w1', title: 'W1, runs/s', chain: 'w1', runs: 200, inFlight: 10, warmUp: true },
    ...{ toValue: runsPerSecond, digits: 0 },
  },
  {
    ...{ name: 'w2', title: 'W2, runs/s', chain: 'w2', runs: 100, inFlight: 10, warmUp: true },
    ...{ outputFile: '10', toValue: runsPerSecond, digits: 1 },
  },
  {
    ...{ name: 'w2c1', title: 'W2 alone, ms a step', chain: 'w2', runs: 20, inFlight: 1, warmUp: true },
    ...{ outputFile: '10', toValue: (seconds, runs) => (1_000 * seconds) / runs / STEPS, digits: 1 },
  },
  {
    ...{ name: 'w3', title: 'W3, s', chain: 'w3', runs: 1, inFlight: 1, warmUp: true },
    ...{ outputFile: 'all', toValue: secondsPerRun, digits: 1 },
  },
  {
    // Its steps take so long that a warm-up would not change the result.
    ...{ name: 'w4', title: 'W4, s', chain: 'w4', runs: 1, inFlight: 1, warmUp: false },
    ...{ outputFile: String(FIBONACCI_NUMBERS.length), toValue: secondsPerRun, digits: 1 },
  },
];

/**
 * @param {Workload} workload
 * @param {number} factor
 * @returns {Workload} with more or fewer runs; one that has a single run keeps it
 */
export const scaleRuns = (workload, factor) =>
  workload.runs === 1
    ? workload
    : { ...workload, runs: Math.max(workload.inFlight, Math.round(workload.runs * factor)) };

/**
 * @param {string} chain
 * @returns {string} content of the input file of its first step
 */
export function contentOf(chain) {
  if (chain === 'w2') return INPUT;
  return chain === 'w3' ? `${makeLines().join('\n')}\n` : '';
}

/**
 * @param {string} chain
 * @param {string} output of a run
 * @returns {boolean} whether the output is the expected one
 */
export function isCorrect(chain, output) {
  if (chain === 'w1') return output === String(STEPS);
  if (chain === 'w2') return output === INPUT;
  if (chain === 'w3') return sortParts(output) === expectedParts();
  return output === FIBONACCI_NUMBERS.map((number) => `${fib(number)}\n`).join('');
}

/**
 * Systems name the parts differently, and so gather them in another order.
 * @param {string} output
 */
const sortParts = (output) => chunk(output.trimEnd().split('\n')).sort().join('\n');

const expectedParts = () => {
  const parts = chunk(makeLines()).map((part) => part.split('\n').sort().join('\n'));
  return parts.sort().join('\n');
};

/** @param {string[]} lines */
function chunk(lines) {
  const size = lines.length / PARTS;
  return Array.from({ length: PARTS }, (_, part) => lines.slice(part * size, (part + 1) * size).join('\n'));
}

/** @param {number} number */
function fib(number) {
  let [current, next] = [0, 1];
  for (let index = 0; index < number; index += 1) [current, next] = [next, current + next];
  return current;
}
