import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Request } from '@millrace/contracts/kit/operation';
import { listFailedSubjobs, listFailures } from '@millrace/contracts/runs/failures';
import { listSubjobs } from '@millrace/contracts/runs/subjobs';
import { Database } from '@millrace/persistence/database';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';
import { normalizeReason } from './normalize-reason.js';

const caller = ownerCaller();
let system: SystemWithStore;
let database: Database;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

const insert = (children: number) => insertSplitRun(database, { caller, folder: system.folder, children });

/** Changes some subjobs of a node. `reason: true` stores the reason as the engine does. */
async function fail(run: SplitRun, node: string, messages: Record<number, string>, recorded = true): Promise<void> {
  for (const [task, message] of Object.entries(messages)) {
    await database.client.subjob.updateMany({
      where: { runId: run.run.id, step: run.step(node), task: Number(task) },
      data: { status: 'FAILED', message, ...(recorded && { reason: normalizeReason(message) }) },
    });
  }
}

const list = ({ id }: SplitRun, query: Partial<Request<typeof listFailures>['query']> = {}) =>
  system.callAs(caller, listFailures, { params: { id }, query });
const listGroup = ({ id }: SplitRun, group: string, query: { page_size?: number; cursor?: string } = {}) =>
  system.callAs(caller, listFailedSubjobs, { params: { id, group }, query });

describe('the failures of a run', () => {
  it('are grouped by node and normalised reason, the largest group first', async () => {
    const run = await insert(10);
    const timedOut = (address: string, seconds: number) =>
      `exit code 1: dial tcp ${address}:443: timeout after ${seconds}s`;
    await fail(run, 'each-1', {
      2: 'exit code 4: no such host',
      3: timedOut('10.0.0.7', 3.2),
      5: timedOut('10.0.0.9', 4),
      7: timedOut('2001:db8::1', 5).replace('2001:db8::1', '[2001:db8::1]'),
    });
    await fail(run, 'all-1', { 0: 'timed out after 30 s' });
    const { results, count, failed } = await list(run);
    expect({ count, failed }).toEqual({ count: 3, failed: 5 });
    expect(results).toMatchObject([
      {
        ...{ node: 'each-1', label: 'each', kind: 'exit_code', exit_code: 1, count: 3, children: 10, share: 0.3 },
        reason: 'exit code 1: dial tcp <address>: timeout after <duration>',
        examples: [
          { task_index: 3, item: 'host3.example.org', message: timedOut('10.0.0.7', 3.2), attempt: 1 },
          { task_index: 5 },
          { task_index: 7 },
        ],
      },
      { node: 'each-1', kind: 'exit_code', exit_code: 4, reason: 'exit code 4: no such host', count: 1 },
      { node: 'all-1', kind: 'timeout', reason: 'timed out after <duration>', count: 1, children: 1, share: 1 },
    ]);
    expect(results[2]!.examples).toEqual([
      expect.not.objectContaining({ task_index: expect.anything(), item: expect.anything() }),
    ]);
    expect(results[2]!).not.toHaveProperty('exit_code');
  });

  it('do not include what was skipped or stopped, a task group with failed children, and attempts that were retried', async () => {
    const run = await insert(4);
    await fail(run, 'each-1', { 1: 'exit code 1: x' });
    const set = (node: string, task: number, data: object) =>
      database.client.subjob.updateMany({ where: { runId: run.run.id, step: run.step(node), task }, data });
    await set('each-1', 0, { status: 'FAILED', message: '1 of 4 failed: exit code 1: x (1)' });
    await set('each-1', 2, { status: 'STOPPED', message: 'exit code 1: x' });
    await set('then-1', 1, { status: 'SKIPPED', message: 'skipped: each-1 failed' });
    await set('each-1', 3, { attempt: 2 });
    const { id } = await database.client.subjob.findFirstOrThrow({
      where: { runId: run.run.id, step: run.step('each-1'), task: 3 },
    });
    const earlier = { attempt: 1, status: 'FAILED', message: 'exit code 1: x' };
    await database.client.attempt.create({ data: { runId: run.run.id, subjobId: id, ...earlier } });
    expect(await list(run)).toMatchObject({
      count: 1,
      failed: 1,
      results: [{ count: 1, examples: [{ task_index: 1 }] }],
    });
  });

  it('include a task group whose split failed', async () => {
    const run = await insert(0);
    await database.client.subjob.updateMany({
      where: { runId: run.run.id, step: run.step('each-1'), task: 0 },
      data: { status: 'FAILED', taskCount: null, message: 'input item: there is no file to split' },
    });
    expect(await list(run)).toMatchObject({ results: [{ kind: 'input', count: 1, children: 1 }] });
  });

  it('have the last lines of standard error, at most 2,000 characters', async () => {
    const run = await insert(2);
    await fail(run, 'each-1', { 1: 'exit code 1: last', 2: 'exit code 1: last' });
    const log = `${'x'.repeat(9_000)}\n${Array.from({ length: 30 }, (_, n) => `line ${n} \u001b[31mé\u001b[0m`).join('\n')}\nlast\n\n`;
    const stored = await new DiskStore(system.folder).put(Buffer.from(log));
    const where = { runId: run.run.id, step: run.step('each-1') };
    await database.client.subjob.updateMany({ where, data: { stderr: { ...stored, truncated: false } } });
    const [group] = (await list(run)).results;
    const lines = group!.examples[0]!.stderr?.split('\n') ?? [];
    expect(lines).toHaveLength(10);
    expect(lines.slice(-2)).toEqual(['line 29 é', 'last']);
    expect(group!.examples[1]).not.toHaveProperty('stderr');
    await database.client.subjob.updateMany({ where, data: { stderr: { ...stored, sha256: 'f'.repeat(64) } } });
    expect((await list(run)).results[0]!.examples[0]).not.toHaveProperty('stderr');
  });

  it('of runs before reasons were recorded are grouped by their messages without numbers', async () => {
    const run = await insert(4);
    const messages = { 1: 'exit code 7: line 12', 2: 'exit code 7: line 14', 3: 'exit code 8: line 12', 4: 'odd' };
    await fail(run, 'each-1', messages, false);
    const { results } = await list(run);
    expect(results.map(({ reason, count }) => [reason, count])).toEqual([
      ['exit code 7: line <number>', 2],
      ['exit code 8: line <number>', 1],
      ['odd', 1],
    ]);
    expect((await listGroup(run, results[0]!.id)).results.map(({ task_index }) => task_index)).toEqual([1, 2]);
  });

  it('are filtered by node and reason, ordered, and paged', async () => {
    const run = await insert(6);
    await fail(run, 'each-1', { 1: 'exit code 1: 100% a', 2: 'exit code 1: b', 3: 'exit code 1: b' });
    await fail(run, 'all-1', { 0: 'exit code 1: c' });
    const reasons = async (query: Parameters<typeof list>[1]) =>
      (await list(run, query)).results.map(({ reason }) => reason.at(-1));
    expect(await reasons({ node: 'each-1' })).toEqual(['b', 'a']);
    expect(await reasons({ node: 'each' })).toEqual([]);
    expect(await reasons({ search: 'EXIT CODE 1: b' })).toEqual(['b']);
    expect(await reasons({ search: '%' })).toEqual([]);
    expect(await reasons({ ordering: 'count,node' })).toEqual(['c', 'a', 'b']);
    expect(await list(run, { page_size: 1, page: 2, ordering: '-count,node' })).toMatchObject({
      ...{ count: 3, failed: 4, results: [{ reason: 'exit code 1: c' }] },
    });
    expect(await list(run, { page: 9 })).toEqual({ count: 3, failed: 4, results: [] });
  });

  it('have the examples of each of many groups', async () => {
    const run = await insert(300);
    const messages = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at + 1, `exit code ${at % 100}: x`]));
    await fail(run, 'each-1', messages);
    const { results, count } = await list(run, { page_size: 1000 });
    expect(count).toBe(100);
    for (const { reason, examples } of results) {
      const first = Number(/\d+/.exec(reason)) + 1;
      expect(examples).toMatchObject(
        [first, first + 100, first + 200].map((task) => ({ task_index: task, item: `host${task}.example.org` })),
      );
    }
  });

  it('of a run that is being deleted are not found', async () => {
    const run = await insert(1);
    await database.client.run.update({ where: { id: run.run.id }, data: { plan: 'f'.repeat(64) } });
    const missing = { code: 'not_found', message: `Run ${run.id} does not exist in this vault.` };
    await expect(list(run)).rejects.toMatchObject(missing);
    await expect(listGroup(run, '0-0123456789abcdef')).rejects.toMatchObject(missing);
    await expect(system.callAs(caller, listSubjobs, { params: { id: run.id } })).rejects.toMatchObject(missing);
  });

  it('cannot be filtered by a node that Postgres could not store', async () => {
    const run = await insert(1);
    const query = { node: 'a\0' };
    await expect(list(run, query)).rejects.toThrow('NUL');
    await expect(system.callAs(caller, listSubjobs, { params: { id: run.id }, query })).rejects.toThrow('NUL');
  });

  it('are empty for a run without any', async () => {
    expect(await list(await insert(2))).toEqual({ count: 0, failed: 0, results: [] });
  });

  it('are hidden from members without a role in the space', async () => {
    const run = await insert(1);
    const stranger = memberCaller(caller, {});
    const hidden = { code: 'not_found' };
    await expect(system.callAs(stranger, listFailures, { params: { id: run.id } })).rejects.toMatchObject(hidden);
    const params = { id: run.id, group: '0-0123456789abcdef' };
    await expect(system.callAs(stranger, listFailedSubjobs, { params })).rejects.toMatchObject(hidden);
  });
});

describe('a group of failures', () => {
  it('lists its subjobs in pages that stay complete while some are retried', async () => {
    const run = await insert(9);
    const odd = {
      1: 'exit code 1: x',
      3: 'exit code 1: x',
      5: 'exit code 1: x',
      7: 'exit code 1: x',
      9: 'exit code 1: x',
    };
    await fail(run, 'each-1', { ...odd, 4: 'exit code 1: y' });
    const group = (await list(run)).results[0]!.id;
    const first = await listGroup(run, group, { page_size: 2 });
    expect(first).toMatchObject({
      results: [{ task_index: 1, item: 'host1.example.org' }, { task_index: 3 }],
      cursor: '3',
    });
    const where = { runId: run.run.id, step: run.step('each-1'), task: 1 };
    await database.client.subjob.updateMany({ where, data: { status: 'PENDING' } });
    const rest = await listGroup(run, group, { page_size: 3, cursor: first.cursor! });
    expect(rest).toMatchObject({ results: [{ task_index: 5 }, { task_index: 7 }, { task_index: 9 }], cursor: null });
  });

  it('contains a node that runs once', async () => {
    const run = await insert(1);
    await fail(run, 'all-1', { 0: 'exit code 1: x' });
    const [group] = (await list(run)).results;
    const { results } = await listGroup(run, group!.id);
    expect(results).toEqual([expect.objectContaining({ subjob: group!.subjob, message: 'exit code 1: x' })]);
  });

  it('gives 404 for an id that cannot be a group, and an empty list if nothing is left in it', async () => {
    const run = await insert(1);
    for (const group of ['x', '0', '999999-0123456789abcdef', '0-0123456789ABCDEF']) {
      await expect(listGroup(run, group)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await listGroup(run, '2-0123456789abcdef')).toEqual({ results: [], cursor: null });
    await expect(listGroup(run, '2-0123456789abcdef', { cursor: 'x' })).rejects.toThrow('must be the `cursor` of the');
    expect(await listGroup(run, '2-0123456789abcdef', { cursor: '9999999999' })).toMatchObject({ results: [] });
  });
});

it('100,000 failed children are grouped, and listed by page, before Postgres has statistics of them', async () => {
  await insert(1);
  await system.database.query('ALTER TABLE runs.subjob SET (autovacuum_enabled = off)');
  await system.database.query('ANALYZE runs.subjob');
  const run = await insert(100_000);
  await database.client.$executeRaw`
    UPDATE runs.subjob SET status = 'FAILED', message = 'exit code ' || task % 3 || ': dial tcp 10.0.0.' || task || ': timeout',
      reason = 'exit code ' || task % 3 || ': dial tcp <address>: timeout'
    WHERE run_id = ${run.run.id} AND step = ${run.step('each-1')} AND task > 0`;
  const { results, failed } = await list(run);
  expect(failed).toBe(100_000);
  expect(results.map(({ count }) => count)).toEqual([33_334, 33_333, 33_333]);
  const page = await listGroup(run, results[1]!.id, { page_size: 1000, cursor: '90000' });
  expect(page.results).toHaveLength(1000);
});
