import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { StepFacts } from '@millrace/graph/conditions/evaluate-condition';
import { MAX_FIRST_LINE, type Condition, type ConditionRead, type FactName } from '@millrace/graph/plan/condition';
import { OUTPUT_FILE } from '@millrace/graph/run/build-command-line';
import type { Database } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { PlanIndex } from '../plans/plan-index.js';

const OUTPUT_NAME = OUTPUT_FILE.slice('out/'.length);
/** Bytes read for a first line: a character has up to four. */
const FIRST_LINE_BYTES = 4 * MAX_FIRST_LINE;
const NEWLINE = 10;

interface FactsReader {
  database: Database;
  store: ObjectStore;
  plan: PlanIndex;
  run: bigint;
}

/** Facts of earlier steps by index of the task that they are for. */
export type FactsByTask = (index: number) => Readonly<Record<number, StepFacts>>;

/** Reads what a condition needs to know about earlier steps, for these tasks of its segment. */
export async function readFacts(reader: FactsReader, condition: Condition, indexes: number[]): Promise<FactsByTask> {
  const shared: Record<number, StepFacts> = {};
  const own = new Map<number, ReadonlyMap<number, StepFacts>>();
  for (const read of condition.reads) {
    const { scope } = reader.plan.step(read.step);
    if (read.child === 'same' && scope !== null) own.set(read.step, await readSubjobs(reader, read, indexes));
    else if (scope === null) shared[read.step] = (await readSubjobs(reader, read, [0])).get(0) ?? {};
    else shared[read.step] = await readGroup(reader, read);
  }
  return (index) => ({
    ...shared,
    ...Object.fromEntries([...own].map(([step, facts]) => [step, facts.get(index) ?? {}])),
  });
}

interface SubjobRow {
  task: number;
  status: SubjobStatus;
  exitCode: number | null;
  items: number | null;
  files: number;
  size: number;
  sha256: string | null;
}

/** Facts of single subjobs. Files are those that users see, in which secret values are masked. */
async function readSubjobs(
  { database, store, plan, run }: FactsReader,
  { step, facts }: ConditionRead,
  tasks: number[],
): Promise<Map<number, StepFacts>> {
  const rows = await database.client.$queryRaw<SubjobRow[]>`
    SELECT s.task, s.status, s.exit_code AS "exitCode", (g.split->>'count')::int AS items, o.files, o.size, o.sha256
    FROM runs.subjob s
    LEFT JOIN runs.segment g ON g.run_id = s.run_id AND g.segment = ${plan.step(step).segment}
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS files, coalesce(sum(coalesce(shown_size, size)), 0)::float8 AS size,
        max(coalesce(shown_sha256, sha256)) FILTER (WHERE path = ${OUTPUT_NAME}) AS sha256
      FROM runs.output o WHERE o.run_id = s.run_id AND o.step = s.step AND o.task = s.task AND NOT o.replaced) o
    WHERE s.run_id = ${run} AND s.step = ${step} AND s.task = ANY(${tasks}::int[])`;
  const found = new Map<number, StepFacts>();
  for (const row of rows) found.set(row.task, { ...toFacts(row), ...(await readContent(store, row.sha256, facts)) });
  return found;
}

function toFacts({ status, exitCode, items, files, size }: SubjobRow): StepFacts {
  const hasRun = status === 'SUCCEEDED' || status === 'FAILED';
  return {
    status,
    exit_code: exitCode,
    children: items ?? 1,
    succeeded: Number(status === 'SUCCEEDED'),
    failed: Number(status === 'FAILED'),
    skipped: Number(status === 'SKIPPED'),
    files: hasRun ? files : null,
    size: hasRun ? size : null,
  };
}

async function readContent(store: ObjectStore, sha256: string | null, facts: readonly FactName[]): Promise<StepFacts> {
  if (sha256 === null) return {};
  return {
    ...(facts.includes('first_line') && { first_line: await readFirstLine(store, sha256) }),
    ...(facts.includes('lines') && { lines: await countLines(store, sha256) }),
  };
}

async function readFirstLine(store: ObjectStore, sha256: string): Promise<string> {
  const size = (await store.size(sha256)) ?? 0;
  if (size === 0) return '';
  const bytes = await store.readAll(sha256, { start: 0, end: Math.min(size, FIRST_LINE_BYTES) - 1 });
  const end = bytes.indexOf(NEWLINE);
  const line = (end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8').replace(/\r$/, '');
  return line.slice(0, MAX_FIRST_LINE).toWellFormed();
}

/** A last line counts even without a line break. */
async function countLines(store: ObjectStore, sha256: string): Promise<number> {
  let count = 0;
  let last = NEWLINE;
  for await (const chunk of store.read(sha256) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count++;
    last = chunk.at(-1) ?? last;
  }
  return last === NEWLINE ? count : count + 1;
}

interface GroupRow {
  status: SubjobStatus;
  children: number;
  succeeded: number;
  failed: number;
  skipped: number;
  exitCode: number | null;
  files: number;
  size: number;
}

/** Facts of all children of a step together. */
async function readGroup({ database, run }: FactsReader, { step }: ConditionRead): Promise<StepFacts> {
  const [row] = await database.client.$queryRaw<GroupRow[]>`
    SELECT g.status, c.*, o.* FROM runs.subjob g
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS children, count(*) FILTER (WHERE status = 'SUCCEEDED')::int AS succeeded,
        count(*) FILTER (WHERE status = 'FAILED')::int AS failed, count(*) FILTER (WHERE status = 'SKIPPED')::int AS skipped,
        max(exit_code) AS "exitCode"
      FROM runs.subjob c WHERE c.run_id = g.run_id AND c.step = g.step AND c.task > 0) c
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS files, coalesce(sum(coalesce(shown_size, size)), 0)::float8 AS size
      FROM runs.output o WHERE o.run_id = g.run_id AND o.step = g.step AND o.task > 0 AND NOT o.replaced) o
    WHERE g.run_id = ${run} AND g.step = ${step} AND g.task = 0`;
  if (!row) return {};
  const { exitCode, ...facts } = row;
  return { ...facts, exit_code: exitCode };
}
