import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runs } from '@millrace/contracts/resources';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { queryDatabase } from '../../support/query-database.js';
import { waitForEnd } from '../../support/run-workflow.js';
import { isServer, type Edge, type FaultCase, type Moment, type ProcessName } from '../cases/fault-case.js';
import { LINKED_FLEET, type Matrix } from '../matrix/start-matrix.js';
import { APPROACHES } from './approach-edge.js';
import { closeGate, type ClosedFor, type Gate } from './close-gate.js';
import { findClient, listFiles } from './find-client.js';
import { makeMatrixWorkflow, type MatrixWorkflow } from './matrix-workflow.js';

/** A run that waits at an edge. */
export interface ReachedEdge {
  matrix: Matrix;
  run: string;
  workflow: MatrixWorkflow;
  /** The process whose transaction waits, and the Postgres process that executes it. */
  actor: number | undefined;
  backend: number | undefined;
  /** The process of this name that has to do with the edge, or else any. */
  targetOf(process: ProcessName): number;
  /** Lets the edge pass. */
  pass(): Promise<void>;
  /** Resolves when Postgres has executed what waited at the edge. */
  committed(): Promise<void>;
  /** Resolves when the user has done what leads to the edge, and the run has ended as it should. */
  runEnded(): Promise<void>;
}

/** The worker behind links runs the steps if a case needs to know it before the steps start, or interrupts its links. */
function fleetOf({ fault, edge }: FaultCase): string | undefined {
  if (fault.kind === 'clock') return fault.direction;
  const needsLink = fault.kind === 'cut-off' || fault.kind === 'reports' || edge === 'output-stored';
  return needsLink || edge === 'claim' ? LINKED_FLEET : undefined;
}

/** Starts a run, and brings it to the edge of a case. */
export async function reachEdge(matrix: Matrix, one: FaultCase): Promise<ReachedEdge> {
  const { fault, edge } = one;
  const fleet = fleetOf(one);
  // Every step of such a run has wrong times, so it passes the edge without waiting.
  const waits = fault.kind !== 'clock';
  if (fault.kind === 'clock') await matrix.startShifted(fault.direction);
  const workflow = await makeMatrixWorkflow(matrix, edge, fleet);
  // Closed before the run exists: on a busy machine, the run may be faster than the test. Nothing else runs in the system.
  const gate = waits ? await closeGate(matrix.system.database, gateOf(one, workflow)) : undefined;
  const { id: run } = await matrix.account.client.call(runs.createRun, { params: { id: workflow.id }, body: {} });
  const runEnded = act(matrix, edge, run);
  const context = { matrix, run, workflow, fleet };
  const { backend, port, pass } = gate ? await reach(edge, context, gate) : NOT_WAITING;
  const actor = port === undefined ? undefined : findClient(port, matrix.pidsOf('runs'));
  const worker = await findWorker(context);
  return {
    ...{ matrix, run, workflow, actor, backend, pass, runEnded },
    targetOf: (process) => {
      if (process === 'runs' && actor !== undefined) return actor;
      return process === 'worker' ? worker : chooseCopy(matrix.pidsOf(process), process, one);
    },
    committed: async () => {
      while (backend !== undefined && (await isActive(matrix, backend))) await sleep(5);
    },
  };
}

/** Does what a user does to get to the edge. @returns a function that waits until the run has ended as it should */
function act(matrix: Matrix, edge: Edge, run: string): () => Promise<void> {
  const approach = APPROACHES[edge];
  const acting = approach.act?.(matrix, run) ?? Promise.resolve();
  // It is awaited after the fault. Until then, a failure must not end the process.
  acting.catch(() => undefined);
  const end = async () => {
    await acting;
    await approach.conclude?.(matrix, run);
    if (!approach.isDeleted) await waitForEnd(matrix.account.client, run);
  };
  let ended: Promise<void> | undefined;
  return () => (ended ??= end());
}

/** Users' requests go to the first gateway. Of other services, each copy has its share of the cases, always the same ones. */
function chooseCopy(pids: readonly number[], process: ProcessName, { name }: FaultCase): number {
  const hasOneChoice = isServer(process) || process === 'gateway';
  return pids[hasOneChoice ? 0 : Number.parseInt(sha256(name).slice(-1), 16) % 2] ?? 0;
}

interface WaitingRun {
  backend?: number;
  port?: number;
  pass: () => Promise<void>;
}

const NOT_WAITING: WaitingRun = { pass: () => Promise.resolve() };

interface RunContext {
  matrix: Matrix;
  run: string;
  workflow: MatrixWorkflow;
  fleet: string | undefined;
}

/** What the gate of a case is closed for. An output that is stored changes no row: it follows the edge `gather`. */
function gateOf({ fault, edge }: FaultCase, { gathered }: MatrixWorkflow): ClosedFor {
  const moment: Moment = 'moment' in fault ? fault.moment : 'at';
  const subject = edge === 'collection' ? sha256(gathered) : '*';
  return { edge: edge === 'output-stored' ? 'gather' : edge, moment, subject };
}

async function reachGate(gate: Gate): Promise<WaitingRun> {
  const { pid, port } = await gate.reached();
  return { backend: pid, port, pass: () => gate.open() };
}

async function reach(edge: Edge, context: RunContext, gate: Gate): Promise<WaitingRun> {
  if (edge === 'output-stored') return reachStoredOutput(context, gate);
  if (edge === 'collection') return reachCollection(context, gate);
  return reachGate(gate);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The worker has stored the output of `gather-1`, and its reports are held back. */
async function reachStoredOutput({ matrix, run, workflow }: RunContext, ready: Gate): Promise<WaitingRun> {
  const { nats } = matrix.linked;
  await ready.reached();
  nats.rule = 'hold';
  await ready.open();
  const store = new DiskStore(join(matrix.system.folder, 'objects'));
  const hash = sha256(workflow.gathered);
  for (const deadline = Date.now() + 30_000; !(await store.has(hash)); await sleep(2)) {
    if (Date.now() > deadline) throw new Error(`Run ${run}: the worker did not store the output of gather-1`);
  }
  const pass = () => {
    nats.rule = 'pass';
    nats.release('first to last');
    return Promise.resolve();
  };
  return { pass };
}

/** The collector decides to delete an output. It waits for a grace period, which the test skips. */
async function reachCollection({ matrix, workflow }: RunContext, gate: Gate): Promise<WaitingRun> {
  const hash = sha256(workflow.gathered);
  const skipping = setInterval(
    () =>
      void queryDatabase(
        matrix.system.database,
        `UPDATE contents.unused SET condemned_at = now() - interval '1 hour' WHERE sha256 = $1 AND state = 'CONDEMNED'`,
        [hash],
      ).catch(() => undefined),
    500,
  );
  try {
    return await reachGate(gate);
  } finally {
    clearInterval(skipping);
  }
}

async function isActive({ system }: Matrix, backend: number): Promise<boolean> {
  const rows = await queryDatabase(
    system.database,
    `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active'`,
    [backend],
  );
  return rows.length > 0;
}

/** The worker that has a dispatch of the run, or else the first one. Its lock file contains its id. */
async function findWorker({ matrix, run, fleet }: RunContext): Promise<number> {
  if (fleet === LINKED_FLEET) return matrix.linked.worker.pid();
  const pids = matrix.pidsOf('worker');
  const [dispatch] = await queryDatabase<{ worker: string }>(
    matrix.system.database,
    'SELECT worker FROM runs.dispatch WHERE run_id = $1 AND worker IS NOT NULL ORDER BY id DESC LIMIT 1',
    [run],
  );
  const hasIt = (pid: number) =>
    listFiles(pid).some((file) => /worker-\d+\.lock$/.test(file) && readFileSync(file, 'utf8') === dispatch?.worker);
  return (dispatch && pids.find(hasIt)) ?? pids[0] ?? 0;
}
