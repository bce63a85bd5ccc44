import type { Database } from '@millrace/persistence/database';
import type { SplitRun } from './insert-split-run.js';

/**
 * Adds what a split run leaves besides its subjobs: a task with a requirement, an output, an attempt, times of its log, a cached
 * result and a change for each child.
 */
export async function fillRun({ client }: Database, split: SplitRun, children: number): Promise<void> {
  const { id, spaceId } = split.run;
  const node = split.step('each-1');
  await client.$executeRaw`
    INSERT INTO runs.output (id, run_id, subjob_id, step, task, node, label, path, size, sha256)
    SELECT gen_random_uuid(), run_id, id, step, task, node, label, 'output.txt', 3, repeat('a', 64)
    FROM runs.subjob WHERE run_id = ${id} AND step = ${node} AND task > 0`;
  await client.$executeRaw`
    INSERT INTO runs.attempt (run_id, subjob_id, attempt, status)
    SELECT run_id, id, 1, 'FAILED' FROM runs.subjob WHERE run_id = ${id} AND step = ${node} AND task > 0`;
  await client.$executeRaw`
    INSERT INTO runs.log_times (run_id, subjob_id, attempt, stream, samples)
    SELECT run_id, id, 1, 'stdout', '[3, 250]' FROM runs.subjob WHERE run_id = ${id} AND step = ${node} AND task > 0`;
  await client.$executeRaw`
    INSERT INTO runs.cache_entry (space_id, key, run_id, subjob_id, outputs)
    SELECT ${spaceId}::uuid, 'key of ' || id, run_id, id, '{"files":[]}'
    FROM runs.subjob WHERE run_id = ${id} AND step = ${node} AND task > 0`;
  await client.$executeRaw`
    INSERT INTO runs.task (run_id, segment, index, state) SELECT ${id}, 99, n, 'DONE' FROM generate_series(1, ${children}::int) n`;
  await client.$executeRaw`
    INSERT INTO runs.change (run_id, seq, changes) SELECT ${id}, 1000 + n, '[]' FROM generate_series(1, ${children}::int) n`;
  await client.$executeRaw`
    INSERT INTO runs.approval (run_id, subjob_id, attempt, segment, index, requested_at)
    SELECT run_id, id, 1, 1, task, now() FROM runs.subjob WHERE run_id = ${id} AND step = ${node} AND task > 0`;
  await client.$executeRaw`
    INSERT INTO runs.requirement (run_id, segment, key) SELECT ${id}, n, 'key' FROM generate_series(1, ${children}::int) n`;
  await client.$executeRaw`
    INSERT INTO runs.reusable_result (run_id, key, subjob_id) SELECT ${id}, 'key ' || n, n FROM generate_series(1, ${children}::int) n`;
}

/** Counts the rows of a run in each table that refers to runs, and in `run` itself. */
export async function countRows({ client }: Database, run: bigint): Promise<Record<string, number>> {
  const tables = await client.$queryRaw<{ name: string }[]>`
    SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f' AND confrelid = 'runs.run'::regclass ORDER BY 1`;
  const counts: Record<string, number> = { 'runs.run': await client.run.count({ where: { id: run } }) };
  for (const { name } of tables) {
    const [row] = await client.$queryRawUnsafe<{ count: bigint }[]>(
      `SELECT count(*) AS count FROM ${name} WHERE run_id = $1`,
      run,
    );
    counts[name] = Number(row?.count);
  }
  return counts;
}
