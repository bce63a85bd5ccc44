import { createHash } from 'node:crypto';
import { readRows } from '../../support/live-table.js';
import { queryDatabase } from '../../support/query-database.js';
import { CHILDREN } from '../edges/matrix-workflow.js';
import type { Matrix } from '../matrix/start-matrix.js';
import type { ExpectedRun, Invariant } from './invariant.js';

export const findLostItems: Invariant['find'] = async (matrix, runs) => {
  const found = runs.filter(({ isDeleted }) => !isDeleted).map((run) => findLostItemsOf(matrix, run));
  return [...(await findDoubleOutputs(matrix)), ...(await Promise.all(found)).flat()];
};

/** Two outputs of one subjob with one path, of which neither has replaced the other. */
async function findDoubleOutputs({ system }: Matrix): Promise<string[]> {
  const rows = await queryDatabase<{ run: string; node: string; task: number; path: string; count: number }>(
    system.database,
    `SELECT run_id::text AS run, node, task, path, count(*)::int FROM runs.output WHERE NOT replaced
     GROUP BY run_id, node, subjob_id, task, path HAVING count(*) > 1 LIMIT 10`,
  );
  return rows.map(
    ({ run, node, task, path, count }) => `run ${run} has ${count} results ${path} of ${node}, child ${task}`,
  );
}

async function findLostItemsOf(matrix: Matrix, { id, workflow, status }: ExpectedRun): Promise<string[]> {
  if (status === 'COMPLETED') {
    return [
      ...(await findWrongResults(matrix, id, workflow.gathered)),
      ...(await findWrongRows(matrix, id, workflow.mark)),
    ];
  }
  const rows = await queryDatabase<{ node: string; status: string }>(
    matrix.system.database,
    `SELECT node, status FROM runs.subjob WHERE run_id = $1 AND status NOT IN ('SUCCEEDED', 'STOPPED', 'FAILED', 'SKIPPED')`,
    [id],
  );
  return rows.map((row) => `run ${id} has ended, but ${row.node} is ${row.status}`);
}

async function findWrongResults({ system }: Matrix, id: string, gathered: string): Promise<string[]> {
  const [counts] = await queryDatabase<{
    children: number;
    succeeded: number;
    gathered: string | null;
    last: string | null;
  }>(
    system.database,
    `SELECT
       (SELECT count(*)::int FROM runs.subjob WHERE run_id = $1 AND node = 'each-1' AND task > 0) AS children,
       (SELECT count(DISTINCT task)::int FROM runs.output
         WHERE run_id = $1 AND node = 'each-1' AND path = 'output.txt' AND NOT replaced) AS succeeded,
       (SELECT string_agg(sha256, ',') FROM runs.output
         WHERE run_id = $1 AND node = 'gather-1' AND path = 'output.txt' AND NOT replaced) AS gathered,
       (SELECT string_agg(size::text, ',') FROM runs.output
         WHERE run_id = $1 AND node = 'last-1' AND path = 'output.txt' AND NOT replaced) AS last`,
    [id],
  );
  const expected = createHash('sha256').update(gathered).digest('hex');
  return [
    ...(counts?.children === CHILDREN ? [] : [`run ${id} has ${counts?.children} children instead of ${CHILDREN}`]),
    ...(counts?.succeeded === CHILDREN ? [] : [`run ${id} has results of ${counts?.succeeded} children`]),
    ...(counts?.gathered === expected
      ? []
      : [`gather-1 of run ${id} has the output ${counts?.gathered}, not ${expected}`]),
    ...(Number(counts?.last) > 0 ? [] : [`last-1 of run ${id} has the outputs ${counts?.last}`]),
  ];
}

async function findWrongRows({ account, table }: Matrix, id: string, mark: string): Promise<string[]> {
  const rows = await readRows(account.client, table, { q: `mark = "${mark}"`, select: 'item' });
  const items = rows.map(({ item }) => Number(item)).toSorted((a, b) => a - b);
  const isComplete = items.length === CHILDREN && items.every((item, index) => item === index + 1);
  return isComplete ? [] : [`the Live Table has the items ${items.join(', ')} of run ${id}`];
}
