import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkflow } from './lib/account.mjs';
import { defineChainOf } from './lib/define-chain.mjs';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';
import { runAlone } from './lib/run-alone.mjs';
import { runShell } from './lib/run-shell.mjs';
import { readResult } from './parts.mjs';
import { CHAINS, FIBONACCI_NUMBERS } from './peers/apps/steps.mjs';

const GOAL = 1.5;

/** The program of `peers/apps/fib.py`. A script of Millrace finds its input in `in/<source>/`. */
const source = (/** @type {number} */ number) => `import os, sys


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


folder, _, files = list(os.walk('in'))[1]
with open(os.path.join(folder, files[0])) as earlier:
    sys.stdout.write(earlier.read())
print(fib(${number}))
`;

/** A chain of fifty Python scripts, each of which passes on its input and adds a line with a Fibonacci number. */
export function defineFibonacci() {
  const nodes = FIBONACCI_NUMBERS.map((number) => ({
    ...{ type: 'SCRIPT', script_type: 'python', script: { source: source(number) } },
  }));
  // The label makes the output a named one, which clients find by its run.
  Object.assign(nodes.at(-1) ?? {}, { meta: { label: 'result' } });
  return defineChainOf('fib', nodes);
}

/**
 * W4, the public flow benchmark: 40 × fib(10), then 10 × fib(33), one after the other.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchFibonacci({ account, isolation, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-fibonacci-'));
  try {
    writeFileSync(join(folder, '0'), '');
    await account.client.files.upload('bench/w4.txt', new Blob(['']));
    const workflow = await createWorkflow(account, 'W4', defineFibonacci());
    const run = () => runAlone(account, workflow, { input: 'millrace://file/bench/w4.txt' });
    const commands = CHAINS.w4?.join('\n') ?? '';
    const warmUp = async () => {
      const id = await run();
      await runShell(commands, folder);
      if ((await readResult(account, id)) !== (await runShell(`cat ${FIBONACCI_NUMBERS.length}`, folder)))
        throw new Error('W4: the result differs from that of the floor');
    };
    const medians = await compareWithFloor({
      ours: () => timeSeconds(run),
      floor: () => timeSeconds(() => runShell(commands, folder)),
      warmUp,
      note,
    });
    const ratio = medians.ours / medians.floor;
    const msPerTask = (1_000 * medians.ours) / FIBONACCI_NUMBERS.length;
    return {
      workload: 'W4: 40 × fib(10), then 10 × fib(33), as Python scripts in one chain',
      isolation,
      ours: `${medians.ours.toFixed(2)} s (${msPerTask.toFixed(1)} ms a task)`,
      floor: `${medians.floor.toFixed(2)} s (the same scripts, started by a shell)`,
      ratio,
      goal: `at most ${GOAL} times the floor`,
      met: ratio <= GOAL,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
