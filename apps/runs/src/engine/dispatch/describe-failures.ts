import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Step } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';

/** Name of the manifest below `in/<source>/`. */
export const FAILURES_FILE = '.failed.json';

/** Subjobs read, and serialized, in one piece: this takes some 10 ms. */
const PAGE_SIZE = 1_000;

interface Row {
  task: number;
  status: SubjobStatus;
  taskCount: number | null;
  exitCode: number | null;
  message: string | null;
}

/**
 * Describes the subjobs of a step that did not succeed, as JSON in pieces:
 * `{"node":"scan-1","children":1000,"failed":[{"index":7,"status":"FAILED","exit_code":4,"reason":"exit code 4"}]}`.
 * A step that runs once has the index 0 and no `children`.
 * @returns null if all succeeded
 */
export async function describeFailures(tx: Transaction, run: bigint, step: Step): Promise<Buffer[] | null> {
  const [node] = await readPage(tx, run, step, -1, 1);
  if (!node || node.status === 'SUCCEEDED') return null;
  const children = node.taskCount ?? 0;
  const hasChildren = step.scope !== null && children > 0;
  const head = `{"node":${JSON.stringify(step.node)}${hasChildren ? `,"children":${children}` : ''},"failed":[\n`;
  const entries = hasChildren ? await listChildren(tx, run, step) : [Buffer.from(JSON.stringify(toEntry(node)))];
  return [Buffer.from(head), ...entries, Buffer.from('\n]}\n')];
}

async function listChildren(tx: Transaction, run: bigint, step: Step): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (let last = 0; ;) {
    const rows = await readPage(tx, run, step, last, PAGE_SIZE);
    const lines = rows.filter(({ status }) => status !== 'SUCCEEDED').map((row) => JSON.stringify(toEntry(row)));
    if (lines.length > 0) pieces.push(Buffer.from(`${pieces.length > 0 ? ',\n' : ''}${lines.join(',\n')}`));
    if (rows.length < PAGE_SIZE) return pieces;
    last = rows.at(-1)?.task ?? last;
  }
}

/** The next subjobs of a step after one, in the order of their numbers. */
const readPage = (
  tx: Transaction,
  run: bigint,
  step: Step,
  after: number,
  limit: number,
): Promise<Row[]> => tx.$queryRaw<Row[]>`
  SELECT task, status, task_count AS "taskCount", exit_code AS "exitCode", message FROM runs.subjob
  WHERE run_id = ${run} AND step = ${step.index} AND task > ${after} ORDER BY task LIMIT ${limit}::int`;

const toEntry = ({ task, status, exitCode, message }: Row) => ({
  index: task,
  status,
  ...(exitCode !== null && { exit_code: exitCode }),
  ...(message !== null && { reason: message }),
});
