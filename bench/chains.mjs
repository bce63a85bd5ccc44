import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkflow } from './lib/account.mjs';
import { defineChainOf } from './lib/define-chain.mjs';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';
import { runShell } from './lib/run-shell.mjs';
import { WorkflowRunner } from './lib/workflow-runner.mjs';

const RUNS = 200;
/** As many as are measured, because eight processes need to compile their hot paths. */
const WARM_UP_RUNS = 200;
const IN_FLIGHT = 10;
const STEPS = 10;
export const INPUT = 'one line of input\n';
const GOALS = { off: 0.42, required: 0.38 };

const COPY = {
  type: 'TOOL',
  container: { command: ['/bin/sh', '-c', 'cat "$0" > out/output.txt'] },
  inputs: { file: { type: 'FILE', order: 1 } },
};

/** A chain of ten steps, each `/bin/sh -c 'cat <input> > <output>'`. */
export function defineChain() {
  return defineChainOf('copy', Array(STEPS).fill(COPY));
}

/** The same ten commands for make, which runs its recipes with `/bin/sh -c` as well. */
function makefile() {
  const rules = Array.from(
    { length: STEPS },
    (_, index) => `step-${index + 1}: ${index === 0 ? 'input' : `step-${index}`}\n\tcat $< > $@\n`,
  );
  return `${rules.reverse().join('')}.SUFFIXES:\nMAKEFLAGS += -r\n`;
}

/** @param {string} folder */
function writeMakeFolders(folder) {
  writeFileSync(join(folder, 'Makefile'), makefile());
  for (let index = 1; index <= RUNS; index += 1) {
    mkdirSync(join(folder, String(index)));
    writeFileSync(join(folder, String(index), 'input'), INPUT);
  }
}

/**
 * Stores the workflow of W2.
 * @param {import('./lib/account.mjs').Account} account
 * @returns {Promise<(count: number) => Promise<void>>} runs it that often, ten runs at a time
 */
export async function prepareChains(account) {
  const workflow = await createWorkflow(account, 'W2', defineChain());
  await account.client.files.upload('bench/w2.txt', new Blob([INPUT]));
  const runner = new WorkflowRunner(account, workflow, { input: 'millrace://file/bench/w2.txt' });
  return async (count) => {
    let left = count;
    const work = async () => {
      while (left-- > 0) await runner.run();
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  };
}

/**
 * W2: runs per second of chains of ten steps, each a process, with ten runs in flight.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchChains({ account, isolation, note }) {
  const runChains = await prepareChains(account);
  // Deleted only at the end: on ext4 without a journal, creating files is slow for a minute after many were deleted.
  const folders = mkdtempSync(join(tmpdir(), 'millrace-make-'));
  const floor = async () => {
    const folder = mkdtempSync(join(folders, 'runs-'));
    writeMakeFolders(folder);
    const command = `seq ${RUNS} | xargs -P${IN_FLIGHT} -I{} make -s -j2 -C {} -f ../Makefile step-${STEPS}`;
    return RUNS / (await timeSeconds(() => runShell(command, folder)));
  };
  const ours = async () => RUNS / (await timeSeconds(() => runChains(RUNS)));
  const medians = await compareWithFloor({ ours, floor, warmUp: () => runChains(WARM_UP_RUNS), note }).finally(() =>
    rmSync(folders, { recursive: true }),
  );
  const goal = isolation === 'off' ? GOALS.off : GOALS.required;
  const ratio = medians.ours / medians.floor;
  return {
    workload: 'W2: 200 chains of 10 process steps, 10 in flight',
    isolation,
    ours: `${medians.ours.toFixed(1)} runs/s`,
    floor: `${medians.floor.toFixed(1)} runs/s (make -j2)`,
    ratio,
    goal: `at least ${goal} of the floor`,
    met: ratio >= goal,
  };
}
