import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { defineChain, INPUT } from './chains.mjs';
import { createWorkflow } from './lib/account.mjs';
import { compareWithFloor, median, timeSeconds } from './lib/measure.mjs';
import { runAlone } from './lib/run-alone.mjs';
import { runShell } from './lib/run-shell.mjs';
import { readResult } from './parts.mjs';
import { CHAINS } from './peers/apps/steps.mjs';

const RUNS = 20;
const CHAIN_GOAL = 1.8;
const STARTS = 21;
/** Between two runs, so that the system is idle. */
const PAUSE_MS = 200;
const START_GOAL_MS = 12;
/** Bash knows the time without another process. */
const PRINT_TIME = 'echo $EPOCHREALTIME';

/** @param {() => Promise<unknown>} work */
async function repeat(work) {
  for (let run = 0; run < RUNS; run += 1) await work();
}

/**
 * W2 with one run at a time: the time from the request to the end of ten steps, one after the other.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchChainLatency({ account, isolation, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-latency-'));
  try {
    writeFileSync(join(folder, '0'), INPUT);
    await account.client.files.upload('bench/w2-alone.txt', new Blob([INPUT]));
    const workflow = await createWorkflow(account, 'W2 alone', defineChain());
    const run = () => runAlone(account, workflow, { input: 'millrace://file/bench/w2-alone.txt' });
    const script = (CHAINS.w2 ?? []).map((command) => `/bin/sh -c '${command}'`).join('\n');
    const medians = await compareWithFloor({
      ours: async () => (await timeSeconds(() => repeat(run))) / RUNS,
      floor: async () => (await timeSeconds(() => repeat(() => runShell(script, folder)))) / RUNS,
      warmUp: () => repeat(run),
      note,
    });
    const ratio = medians.ours / medians.floor;
    return {
      workload: 'W2, one run at a time: POST to COMPLETED',
      isolation,
      ours: `${(1_000 * medians.ours).toFixed(0)} ms`,
      floor: `${(1_000 * medians.floor).toFixed(0)} ms (the ten commands as a shell script)`,
      ratio,
      goal: `at most ${CHAIN_GOAL} times the floor`,
      met: ratio <= CHAIN_GOAL,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {() => Promise<string>} start starts a process that prints its time
 * @returns {Promise<number>} median of the milliseconds until the process runs
 */
async function timeStarts(start) {
  const values = [];
  for (let run = 0; run < STARTS; run += 1) {
    await sleep(PAUSE_MS);
    const startedAt = Date.now();
    values.push(1_000 * Number((await start()).trim()) - startedAt);
  }
  return median(values);
}

/**
 * W8: time from the request for a run to the first instruction of its process, in an idle system.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchStart({ account, isolation, note }) {
  const node = { type: 'SCRIPT', script: { source: PRINT_TIME }, meta: { label: 'result' } };
  const workflow = await createWorkflow(account, 'W8', { nodes: { 'time-1': node } });
  const run = async () => readResult(account, await runAlone(account, workflow, {}));
  // Without HOME, bash looks the user up, which can take a second.
  const env = { PATH: process.env.PATH, HOME: '/' };
  const spawn = async () => (await promisify(execFile)('bash', ['-c', PRINT_TIME], { env })).stdout;
  const medians = await compareWithFloor({
    ours: () => timeStarts(run),
    floor: () => timeStarts(spawn),
    warmUp: () => timeStarts(run),
    note,
  });
  return {
    workload: 'W8: POST to the first instruction of the process, idle, median',
    isolation,
    ours: `${medians.ours.toFixed(1)} ms`,
    floor: `${medians.floor.toFixed(1)} ms (the process alone)`,
    ratio: medians.ours / medians.floor,
    goal: `at most ${START_GOAL_MS} ms`,
    met: medians.ours <= START_GOAL_MS,
  };
}
