import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { outputs } from '@millrace/contracts/resources';
import { edge, createWorkflow } from './lib/account.mjs';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';
import { runShell } from './lib/run-shell.mjs';
import { WorkflowRunner } from './lib/workflow-runner.mjs';

const LINES = 10_000;
const PARTS = 1_000;
const GOALS = { off: 1.6, required: 1.7 };

export const PARTS_WORKFLOW = {
  primitiveNodes: { 'http-input-1': { type: 'FILE', label: 'lines' } },
  nodes: {
    'sort-1': {
      type: 'TOOL',
      container: { command: ['sort'] },
      output_command: '-o',
      inputs: { file: { type: 'FILE', order: 1 } },
      distribution: { input: 'file', mode: 'batch', splits: PARTS },
    },
    'gather-1': {
      type: 'TOOL',
      container: { command: ['/bin/sh', '-c', 'cat in/sort-1/*/output.txt'] },
      output_command: '>',
      inputs: { folder: { type: 'FOLDER', order: 1 } },
      meta: { label: 'sorted parts' },
    },
  },
  connections: [edge('http-input-1/output', 'sort-1/file'), edge('sort-1/folder', 'gather-1/folder')],
};

/** Pseudo-random lines, the same in every run: the minimal standard generator of Park and Miller. */
export function makeLines() {
  let state = 42;
  return Array.from({ length: LINES }, () => {
    state = (state * 16_807) % 2_147_483_647;
    return state.toString(36);
  });
}

/**
 * Writes each part of ten lines to a file, split as in the workflow.
 * @param {string[]} lines
 * @param {string} folder
 */
function writeParts(lines, folder) {
  mkdirSync(join(folder, 'parts'));
  mkdirSync(join(folder, 'sorted'));
  const size = LINES / PARTS;
  for (let part = 0; part < PARTS; part += 1) {
    const text = lines.slice(part * size, (part + 1) * size).join('\n');
    writeFileSync(join(folder, 'parts', String(part + 1)), `${text}\n`);
  }
}

/**
 * @param {import('./lib/account.mjs').Account} account
 * @param {string} run
 * @returns {Promise<string>} content of its named output
 */
export async function readResult({ client }, run) {
  const { results } = await client.call(outputs.listRunOutputs, { params: { id: run }, query: { named: 'true' } });
  const { body } = await client.download(outputs.downloadOutput, { params: { id: results[0]?.id ?? '' } });
  return (await buffer(body)).toString();
}

/**
 * W3: splits a file of 10,000 lines into 1,000 parts, sorts each in a process of its own, and gathers the results.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchParts({ account, isolation, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-parts-'));
  try {
    const lines = makeLines();
    writeParts(lines, folder);
    await account.client.files.upload('bench/w3.txt', new Blob([`${lines.join('\n')}\n`]));
    const workflow = await createWorkflow(account, 'W3', PARTS_WORKFLOW);
    const runner = new WorkflowRunner(account, workflow, { lines: 'millrace://file/bench/w3.txt' });
    const sortParts = () => runner.run();
    const command = 'ls parts | xargs -P2 -I{} sort -o sorted/{} parts/{} && cat sorted/* > all';
    const warmUp = async () => {
      const run = await sortParts();
      await runShell(command, folder);
      // Both concatenate the parts in the order of a shell's `*`.
      if ((await readResult(account, run)) !== (await runShell('cat all', folder)))
        throw new Error('W3: the result differs from that of the floor');
    };
    const medians = await compareWithFloor({
      ours: () => timeSeconds(sortParts),
      floor: () => timeSeconds(() => runShell(command, folder)),
      warmUp,
      note,
    });
    const goal = isolation === 'off' ? GOALS.off : GOALS.required;
    const ratio = medians.ours / medians.floor;
    return {
      workload: 'W3: 10,000 lines sorted in 1,000 parts and gathered',
      isolation,
      ours: `${medians.ours.toFixed(2)} s`,
      floor: `${medians.floor.toFixed(2)} s (xargs -P2)`,
      ratio,
      goal: `at most ${goal} times the floor`,
      met: ratio <= goal,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
