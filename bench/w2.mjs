import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edge, makeWorkflow } from './lib/account.mjs';
import { measureBeside, secondsOf } from './lib/measure.mjs';
import { mustRun } from './lib/must-run.mjs';
import { RunFinisher } from './lib/run-finisher.mjs';

const RUNS = 200;
/** As many as are measured: eight processes have their hot paths to compile. */
const WARM_UP = 200;
const IN_FLIGHT = 10;
const STEPS = 10;
const INPUT = 'one line of input\n';
const GOALS = { off: 0.6, auto: 0.4 };

/** A chain of ten steps, each `/bin/sh -c 'cat <input> > <output>'`. */
function chain() {
  const names = Array.from({ length: STEPS }, (_, index) => `copy-${index + 1}`);
  const node = {
    type: 'TOOL',
    container: { command: ['/bin/sh', '-c', 'cat "$0" > out/output.txt'] },
    inputs: { file: { type: 'FILE', order: 1 } },
  };
  return {
    primitiveNodes: { 'http-input-1': { type: 'FILE', label: 'input' } },
    nodes: Object.fromEntries(names.map((name) => [name, node])),
    connections: names.map((name, index) =>
      edge(index === 0 ? 'http-input-1/output' : `${names[index - 1]}/file`, `${name}/file`),
    ),
  };
}

/** The same ten commands for make, whose recipes are run by `/bin/sh -c` too. */
function makefile() {
  const rules = Array.from(
    { length: STEPS },
    (_, index) => `step-${index + 1}: ${index === 0 ? 'input' : `step-${index}`}\n\tcat $< > $@\n`,
  );
  return `${rules.reverse().join('')}.SUFFIXES:\nMAKEFLAGS += -r\n`;
}

/** @param {string} folder */
function writeMakes(folder) {
  writeFileSync(join(folder, 'Makefile'), makefile());
  for (let index = 1; index <= RUNS; index += 1) {
    mkdirSync(join(folder, String(index)));
    writeFileSync(join(folder, String(index), 'input'), INPUT);
  }
}

/**
 * Runs a second: chains of ten process steps, ten runs in flight (W2 of performance.md).
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchChains({ account, isolation, note }) {
  const workflow = await makeWorkflow(account, 'W2', chain());
  await account.client.upload('bench/w2.txt', new Blob([INPUT]));
  const chains = new RunFinisher(account, workflow, { input: 'millrace://file/bench/w2.txt' });
  const startChains = async (/** @type {number} */ count) => {
    let left = count;
    const work = async () => {
      while (left-- > 0) await chains.run();
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  };
  // Removed only at the end: on ext4 without a journal, creating files is slow for a minute after many were removed.
  const folders = mkdtempSync(join(tmpdir(), 'millrace-make-'));
  const floor = async () => {
    const folder = mkdtempSync(join(folders, 'runs-'));
    writeMakes(folder);
    const command = `seq ${RUNS} | xargs -P${IN_FLIGHT} -I{} make -s -j2 -C {} -f ../Makefile step-${STEPS}`;
    return RUNS / (await secondsOf(() => mustRun(command, folder)));
  };
  const ours = async () => RUNS / (await secondsOf(() => startChains(RUNS)));
  const medians = await measureBeside({ ours, floor, warmUp: () => startChains(WARM_UP), note }).finally(() =>
    rmSync(folders, { recursive: true }),
  );
  const goal = isolation === 'off' ? GOALS.off : GOALS.auto;
  const ratio = medians.ours / medians.floor;
  return {
    workload: 'W2: 200 chains of 10 process steps, 10 in flight',
    isolation,
    ours: `${medians.ours.toFixed(1)} runs/s`,
    floor: `${medians.floor.toFixed(1)} runs/s (make -j2)`,
    ratio,
    goal: `at least ${goal}`,
    met: ratio >= goal,
  };
}
