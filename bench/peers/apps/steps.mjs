import { spawn } from 'node:child_process';
import { join } from 'node:path';

const FIB = join(import.meta.dirname, 'fib.py');

/** Where steps of Millrace look for programs (libs/isolation). A version manager would give the others another Python. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Number of parts of workload W3, each of ten lines. */
export const PARTS = 1_000;

/** What W4 computes, one after the other: short steps, then long ones. */
export const FIBONACCI_NUMBERS = [...Array(40).fill(10), ...Array(10).fill(33)];

/**
 * The steps of each chain as shell commands, as every system executes them. Step `n` reads the file `n` of the run's folder
 * and writes the file `n + 1`. The steps of W1 start no process: they add 1 to a number.
 * @type {Record<string, string[]>}
 */
export const CHAINS = {
  w1: Array.from({ length: 10 }, () => ''),
  w2: Array.from({ length: 10 }, (_, index) => `cat ${index} > ${index + 1}`),
  w4: FIBONACCI_NUMBERS.map(
    (number, index) => `PATH=${SYSTEM_PATH} python3 ${FIB} ${number} < ${index} > ${index + 1}`,
  ),
};

/** The commands of W3. */
export const SPLIT = `mkdir parts sorted && split -l 10 -a 3 -d 0 parts/`;
export const SORT = (/** @type {string} */ part) => `sort -o sorted/${part} parts/${part}`;
export const GATHER = 'cat sorted/* > all';

/** @type {string[]} names of the parts, as `split` writes them */
export const PART_NAMES = Array.from({ length: PARTS }, (_, index) => String(index).padStart(3, '0'));

/**
 * Executes one step of a chain.
 * @param {string} workload
 * @param {number} index
 * @param {{ folder: string, value: number }} run `value`: result of the step before
 * @returns {Promise<number>} result of the step
 */
export async function executeStep(workload, index, { folder, value }) {
  const command = CHAINS[workload]?.[index];
  if (command) await runProcess(command, folder);
  return value + 1;
}

/**
 * Runs a shell command in a folder.
 * @param {string} command
 * @param {string} folder
 * @returns {Promise<void>}
 */
export function runProcess(command, folder) {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: folder, stdio: 'ignore' });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`\`${command}\` failed with exit code ${code} in ${folder}`)),
    );
  });
}

/**
 * Limits how many processes run at once, for engines that have no limit of their own.
 * @param {number} limit
 * @returns {(command: string, folder: string) => Promise<void>} as `runProcess`
 */
export function limitProcesses(limit) {
  let running = 0;
  /** @type {(() => void)[]} */
  const queue = [];
  return async (command, folder) => {
    if (running >= limit) await new Promise((resolve) => queue.push(() => resolve(undefined)));
    else running += 1;
    try {
      await runProcess(command, folder);
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
