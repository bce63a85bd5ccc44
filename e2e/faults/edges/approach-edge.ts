import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Run } from '@millrace/contracts/records';
import { approvals, control, runs } from '@millrace/contracts/resources';
import { isFinalRun, type RunStatus } from '@millrace/contracts/runs/statuses';
import { eventually } from '@millrace/testkit/eventually';
import { queryDatabase } from '../../support/query-database.js';
import { findNode, listChildren, waitForEnd } from '../../support/run-workflow.js';
import type { Edge } from '../cases/fault-case.js';
import type { Matrix } from '../matrix/start-matrix.js';

/** What a user does with a run of the matrix. */
interface Approach {
  /** Leads to the edge. Runs while the edge waits, and during the fault. */
  act?: (matrix: Matrix, run: string) => Promise<void>;
  /** Done after the fault, so that the run ends. */
  conclude?: (matrix: Matrix, run: string) => Promise<void>;
  /** How the run ends. */
  status: RunStatus;
  /** How often the run ends. */
  ends: number;
  /** A user deletes it. */
  isDeleted?: boolean;
}

const read = ({ account }: Matrix, id: string): Promise<Run> => account.client.call(runs.getRun, { params: { id } });

/** Much longer than any process or server is away. */
const ACT_TIMEOUT_MS = 120_000;

/** Repeats a request until it succeeds, or until the state shows that an earlier one has succeeded. */
async function persist(request: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + ACT_TIMEOUT_MS; ; await sleep(200)) {
    try {
      return void (await request());
    } catch (error) {
      if (await isDone().catch(() => false)) return;
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Waits until a child runs. If nothing ran at the time, a stop would end the run at once, without the edge. */
async function untilChildRuns({ account: { client } }: Matrix, id: string): Promise<void> {
  const isRunning = async () => {
    const group = await findNode(client, id, 'each-1');
    const children = group.task_count === undefined ? [] : await listChildren(client, id, group.id);
    return children.some(({ status }) => status === 'RUNNING');
  };
  while (!(await isRunning())) await sleep(20);
}

const stop: Approach['act'] = async (matrix, id) => {
  await untilChildRuns(matrix, id);
  const params = { id };
  await persist(
    () => matrix.account.client.call(runs.stopRun, { params }),
    async () => ['STOPPING', 'STOPPED'].includes((await read(matrix, id)).status),
  );
};

/** A fault can undo the pause, and the run can end before the next attempt, which is then refused. */
const pause: Approach['act'] = async (matrix, id) => {
  await untilChildRuns(matrix, id);
  const params = { id };
  await persist(
    () => matrix.account.client.call(control.pauseRun, { params }),
    async () => {
      const { paused, status } = await read(matrix, id);
      return Boolean(paused) || isFinalRun(status);
    },
  );
};

const resume: Approach['conclude'] = async (matrix, id) => {
  const params = { id };
  await persist(
    () => matrix.account.client.call(control.resumeRun, { params }),
    async () => !(await read(matrix, id)).paused,
  );
};

const approve: Approach['act'] = async (matrix, id) => {
  const { client } = matrix.account;
  const open = async () => {
    const node = await findNode(client, id, 'ok-1');
    return node.approval?.state === 'open' ? node : undefined;
  };
  let node = await open().catch(() => undefined);
  for (; !node; node = await open().catch(() => undefined)) await sleep(20);
  const params = { id, subjobId: node.id };
  await persist(
    () => client.call(approvals.approveSubjob, { params, body: {} }),
    async () => (await findNode(client, id, 'ok-1')).approval?.state === 'approved',
  );
};

/** One idempotency key for all requests, because a second retry of the run would be a retry too many. */
const retry: Approach['act'] = async (matrix, id) => {
  const { client } = matrix.account;
  await waitForEnd(client, id);
  const request = { params: { id }, body: { nodes: ['last-1'] }, idempotencyKey: `retry-${id}` };
  await persist(
    () => client.call(runs.retryRun, request),
    async () => !isFinalRun((await read(matrix, id)).status),
  );
};

async function listLoads(database: string, run: string): Promise<string[]> {
  const rows = await queryDatabase<{ status: string }>(database, 'SELECT status FROM datasets.load WHERE run_id = $1', [
    run,
  ]);
  return rows.map(({ status }) => status);
}

const remove: Approach['act'] = async ({ account, system }, id) => {
  const { client } = account;
  await waitForEnd(client, id);
  // Its outputs are read until then.
  await eventually(async () => expect(await listLoads(system.database, id)).toEqual(['COMPLETED']));
  const params = { id };
  await persist(
    () => client.call(runs.deleteRun, { params }),
    () =>
      client.call(runs.getRun, { params }).then(
        () => false,
        (error: { status?: number }) => error.status === 404,
      ),
  );
};

const COMPLETES: Approach = { status: 'COMPLETED', ends: 1 };

export const APPROACHES: Readonly<Record<Edge, Approach>> = {
  claim: COMPLETES,
  start: COMPLETES,
  'output-stored': COMPLETES,
  report: COMPLETES,
  gather: COMPLETES,
  'cache-write': COMPLETES,
  'last-report': COMPLETES,
  stop: { act: stop, status: 'STOPPED', ends: 1 },
  pause: { ...COMPLETES, act: pause, conclude: resume },
  approval: { ...COMPLETES, act: approve },
  retry: { ...COMPLETES, act: retry, ends: 2 },
  collection: { ...COMPLETES, act: remove, isDeleted: true },
};
