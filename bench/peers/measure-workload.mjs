import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { timeSeconds } from '../lib/measure.mjs';
import { readBusyMs } from '../lib/usage/read-busy-ms.mjs';
import { contentOf, isCorrect } from './workloads.mjs';

const CHECKS_IN_FLIGHT = 10;
const MAX_MESSAGE_LENGTH = 300;

/**
 * One measurement of a system. Round 0 is the warm-up. `busyMs`: how long processors were busy, with any program.
 * @typedef {{ workload: string, system: string, round: number, runs: number, seconds: number, busyMs: number }} Sample
 *
 * @typedef {{ workload: string, system: string, round: number, message: string }} Failure
 *
 * @typedef {{ name: string, system: import('./systems.mjs').PeerSystem }} Running
 */

/**
 * Measures all systems alternately, so that changes in the machine's speed affect all of them. Each round begins with another
 * system. The output of every run is checked. A system that fails has no samples of this workload.
 * @param {import('./workloads.mjs').Workload} workload
 * @param {object} options
 * @param {Running[]} options.systems
 * @param {number} options.rounds
 * @param {string} options.folder for the files of the runs
 * @param {(line: string) => void} options.note
 * @returns {Promise<{ samples: Sample[], failures: Failure[] }>}
 */
export async function measureWorkload(workload, { systems, rounds, folder, note }) {
  /** @type {Sample[]} */
  const samples = [];
  /** @type {Failure[]} */
  const failures = [];
  const hasFailed = (/** @type {string} */ name) => failures.some(({ system }) => system === name);
  for (let round = workload.warmUp ? 0 : 1; round <= rounds; round += 1) {
    const lines = [];
    for (const { name, system } of rotate(systems, round).filter((one) => !hasFailed(one.name))) {
      try {
        const measured = await measureOnce(workload, system, join(folder, `${workload.name}-${name}-${round}`));
        samples.push({ workload: workload.name, system: name, round, ...measured });
        lines.push(`${name} ${workload.toValue(measured.seconds, workload.runs).toPrecision(3)}`);
      } catch (error) {
        const message = describeFailure(/** @type {Error} */ (error), folder);
        failures.push({ workload: workload.name, system: name, round, message });
        note(`${name} failed: ${message}`);
      }
    }
    note(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${lines.join(', ')}`);
  }
  return { samples: samples.filter(({ system }) => !hasFailed(system)), failures };
}

/**
 * @param {Error} error
 * @param {string} folder
 * @returns {string} the end of its message, without the folders of this machine, because results are published
 */
const describeFailure = ({ message }, folder) =>
  message.replaceAll(folder, '…').replaceAll(ROOT, '.').slice(-MAX_MESSAGE_LENGTH);

/**
 * @template T
 * @param {T[]} items
 * @param {number} by
 * @returns {T[]}
 */
const rotate = (items, by) => [...items.slice(by % items.length), ...items.slice(0, by % items.length)];

/**
 * @param {import('./workloads.mjs').Workload} workload
 * @param {import('./systems.mjs').PeerSystem} system
 * @param {string} folder
 */
async function measureOnce(workload, system, folder) {
  const folders = createRunFolders(workload, folder);
  /** @type {string[]} */
  const results = [];
  const run = system.prepareRuns(workload);
  const runEach = () =>
    forEachInFlight(folders, workload.inFlight, async (runFolder, index) => {
      results[index] = await run(runFolder);
    });
  const runAll = system.prepareAll?.(workload, folders) ?? runEach;
  const busyBefore = readBusyMs();
  const seconds = await timeSeconds(runAll);
  const busyMs = readBusyMs() - busyBefore;
  await forEachInFlight(folders, CHECKS_IN_FLIGHT, async (runFolder, index) => {
    const output = await system.readOutput(workload, { folder: runFolder, result: results[index] ?? '' });
    if (!isCorrect(workload.chain, output))
      throw new Error(`the output of run ${index + 1} is wrong: ${JSON.stringify(output.slice(0, 200))}`);
  });
  rmSync(folder, { recursive: true });
  return { runs: workload.runs, seconds, busyMs };
}

/**
 * @param {import('./workloads.mjs').Workload} workload
 * @param {string} folder
 * @returns {string[]} one for each run, with the input of its first step
 */
function createRunFolders({ chain, runs }, folder) {
  const content = contentOf(chain);
  return Array.from({ length: runs }, (_, index) => {
    const runFolder = join(folder, String(index + 1));
    mkdirSync(runFolder, { recursive: true });
    writeFileSync(join(runFolder, '0'), content);
    return runFolder;
  });
}

/**
 * @template T
 * @param {T[]} items
 * @param {number} inFlight
 * @param {(item: T, index: number) => Promise<void>} work
 */
async function forEachInFlight(items, inFlight, work) {
  const entries = items.entries();
  const take = async () => {
    for (const [index, item] of entries) await work(item, index);
  };
  await Promise.all(Array.from({ length: inFlight }, take));
}
