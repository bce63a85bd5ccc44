import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { restOperations } from '@millrace/contracts/registry';
import { downloadOutput, downloadSigned, signOutput } from '@millrace/contracts/runs/outputs';
import { deleteRun, getRun, listRuns, runEvents } from '@millrace/contracts/runs/runs';
import { getSubjob, listSubjobs } from '@millrace/contracts/runs/subjobs';
import { Database } from '@millrace/persistence/database';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { countRows, fillRun } from '../testing/fill-run.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';

const CHILDREN = 30;
const caller = ownerCaller();
let system: SystemWithStore;
let database: Database;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 3 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

async function insert(): Promise<SplitRun> {
  const run = await insertSplitRun(database, { caller, folder: system.folder, children: CHILDREN });
  await fillRun(database, run, CHILDREN);
  return run;
}

const remove = ({ id }: SplitRun) => system.callAs(caller, deleteRun, { params: { id } });

/** Deletes a run and keeps its rows during `work`: the job waits for the lock of a row that it has to delete. */
async function whileDeleting(run: SplitRun, work: () => Promise<void>): Promise<void> {
  await database.transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM runs.cache_entry WHERE run_id = ${run.run.id} FOR UPDATE`;
      await remove(run);
      await work();
      expect((await countRows(database, run.run.id))['runs.subjob']).toBeGreaterThan(CHILDREN);
    },
    { timeoutMs: 60_000 },
  );
}

const isGone = async ({ run }: SplitRun) =>
  Object.values(await countRows(database, run.id)).every((count) => count === 0);

/** Every operation of this service on a run. */
const operationsOnRuns = restOperations.filter(
  ({ name, path }) => name.startsWith('runs.') && path.startsWith('/runs/{'),
);

/** Bodies of the operations that require one. */
const BODIES: Record<string, object> = { 'runs.parameters.set': { nodes: { 'each-1': { value: 'other' } } } };

describe('a deleted run', () => {
  it('is gone for every operation at once, and its rows follow', async () => {
    const run = await insert();
    const subjob = await database.client.subjob.findFirstOrThrow({ where: { runId: run.run.id, task: 1 } });
    const values: Record<string, string> = { subjobId: String(subjob.id), group: `${subjob.step}-${'a'.repeat(32)}` };
    expect(operationsOnRuns.length).toBeGreaterThan(15);
    await whileDeleting(run, async () => {
      for (const operation of operationsOnRuns) {
        const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        const params = Object.fromEntries(names.map((name) => [name, values[name] ?? run.id]));
        const body = BODIES[operation.name];
        const call = system.callAs(caller, operation, { params, ...(body && { body }) });
        await expect(call.then(() => operation.name)).rejects.toMatchObject({ code: 'not_found' });
      }
    });
    await eventually(async () => expect(await isGone(run)).toBe(true));
    expect(await system.callAs(caller, listRuns, { query: { search: 'r' } })).toMatchObject({ results: [], count: 0 });
  });

  it('is in no list, its outputs cannot be read, and a signed link to one is no longer valid', async () => {
    const run = await insert();
    const { id: output } = await database.client.output.findFirstOrThrow({ where: { runId: run.run.id } });
    const params = { id: output };
    const { url } = await system.callAs(caller, signOutput, { params });
    const signed = Object.fromEntries(new URL(url).searchParams);
    const open = () => system.callAs(null, downloadSigned, { params, query: signed as never });
    expect(await open()).toMatchObject({ sha256: 'a'.repeat(64) });
    await whileDeleting(run, async () => {
      expect(await system.callAs(caller, listRuns)).toMatchObject({ results: [], count: 0 });
      await expect(open()).rejects.toMatchObject({ code: 'not_found' });
      await expect(system.callAs(caller, downloadOutput, { params })).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  it('is not shown as the source of a reused result', async () => {
    const [source, reuser] = [await insert(), await insert()];
    const from = await database.client.subjob.findFirstOrThrow({ where: { runId: source.run.id, task: 1 } });
    const where = { runId: reuser.run.id, task: 1 };
    await database.client.subjob.updateMany({ where, data: { cachedFrom: from.id } });
    const { id } = await database.client.subjob.findFirstOrThrow({ where });
    const show = () => system.callAs(caller, getSubjob, { params: { id: reuser.id, subjobId: String(id) } });
    expect(await show()).toMatchObject({ cached_from: String(from.id), cached_from_run: source.id });
    await whileDeleting(source, async () => {
      const shown = await show();
      expect(shown).toMatchObject({ cached_from: String(from.id) });
      expect(shown).not.toHaveProperty('cached_from_run');
    });
  });

  it('is audited once, however many requests delete it at the same time', async () => {
    const run = await insert();
    const outcomes = await Promise.allSettled([remove(run), remove(run), remove(run), remove(run)]);
    const failed = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
    );
    expect(failed).toEqual(['not_found', 'not_found', 'not_found']);
    const entries = await database.client.outbox.findMany({ where: { name: 'runs.run.controlled' } });
    expect(entries.map(({ payload }) => payload as object).filter((one) => 'run' in one && one.run === run.id)).toEqual(
      [expect.objectContaining({ action: 'run.deleted', vault: caller.vault, user: caller.user })],
    );
  });

  it('has ended before: an active run is refused and keeps everything', async () => {
    const run = await insert();
    const { id } = run.run;
    await database.client.run.update({ where: { id }, data: { status: 'RUNNING', finishedAt: null } });
    await expect(remove(run)).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'params.id': 'names a run that has not ended; stop the run first' },
    });
    expect(await system.callAs(caller, getRun, { params: { id: run.id } })).toMatchObject({ status: 'RUNNING' });
    await database.client.run.update({ where: { id }, data: { status: 'COMPLETED', finishedAt: new Date() } });
  });

  it('fails no request that reads it while it disappears', async () => {
    const run = await insert();
    const params = { id: run.id };
    const node = await database.client.subjob.findFirstOrThrow({
      where: { runId: run.run.id, step: run.step('each-1') },
    });
    const read = async () => {
      for (;;) {
        const reads = [
          system.callAs(caller, getRun, { params }),
          system.callAs(caller, listSubjobs, { params, query: { parent: String(node.id) } }),
          system.callAs(caller, runEvents, { params }),
          system.callAs(caller, getSubjob, { params: { id: run.id, subjobId: String(node.id) } }),
        ];
        const results = await Promise.allSettled(reads);
        const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []));
        for (const error of errors) expect(error).toMatchObject({ code: 'not_found' });
        if (errors.length === reads.length) return;
      }
    };
    await Promise.all([read(), read(), remove(run)]);
    await Promise.all([eventually(async () => expect(await isGone(run)).toBe(true)), read()]);
  });
});
