import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CACHE_PARTS, findCached, type CacheKey } from '@millrace/contracts/runs/cache';
import { receiveReports } from '@millrace/contracts/runs/engine';
import type { FileSet } from '@millrace/contracts/runs/files';
import { listSubjobOutputs } from '@millrace/contracts/runs/outputs';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import { deleteRun, getRun } from '@millrace/contracts/runs/runs';
import { getSubjob, listSubjobs } from '@millrace/contracts/runs/subjobs';
import { getWorkflowLocation, workflowMoved } from '@millrace/contracts/workflows/exchange';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';
import { start } from '../start.js';
import { CacheExpiry } from './cache-expiry.js';
import { deleteCachedResults, type CacheSelection } from './delete-cached-results.js';

const folder = mkdtempSync(join(tmpdir(), 'cache-'));
const store = new DiskStore(folder);
const owner = ownerCaller();
const space = newId();
const sha = (digit: string) => digit.repeat(64);
let system: System;
let database: Database;
let worker: FakeService;
let workflows: EventSource;
let moved: { workflow: string; space: string } | null = null;

beforeAll(async () => {
  system = await startApps([start], { STORAGE_DIR: folder });
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  worker = await system.fake('worker');
  workflows = await system.sourceOf('workflows');
  (await system.fake('workflows')).on(getWorkflowLocation, () => ({
    place: moved && { space: moved.space, spaceName: 'Away', project: null, projectName: null },
  }));
});
afterAll(async () => {
  await database.close();
  await system.close();
  rmSync(folder, { recursive: true });
});

let keys = 0;
/** Returns a different key at each call. */
function newKey(): CacheKey {
  const key = (++keys).toString(16).padStart(64, '0');
  const parts = Object.fromEntries(CACHE_PARTS.map((part) => [part, key.slice(-16)])) as CacheKey['parts'];
  return { key, parts };
}

interface Place {
  vault?: string;
  space?: string;
  workflow?: string;
}

/** Starts a run of one node, and dispatches it to worker `w-1`. */
async function begin(place: Place = {}): Promise<{ run: Run; dispatch: string }> {
  const data = { nodes: { 'a-1': { type: 'SCRIPT', script: { source: 'x' }, cache: true } } };
  const plan = await new PlanStore(store).save(compilePlan(data, {}));
  const workflow = {
    ...{ id: place.workflow ?? newId(), name: 'w', space: place.space ?? space, spaceName: 's' },
    ...{ project: null, projectName: null },
  };
  const run = await database.transaction((tx) =>
    insertRun(tx, {
      ...{ plan, workflow, vaultId: place.vault ?? owner.vault, author: owner.user, name: 'r', version: newId() },
      ...{ inputs: {}, creationType: 'MANUAL', status: 'PENDING', parallelism: 1, timeoutSeconds: null },
      ...{ origin: null, schedule: null },
    }),
  );
  const { id } = await database.client.dispatch.create({ data: { runId: run.id, segment: 0, worker: 'w-1' } });
  await database.client.task.updateMany({ where: { runId: run.id }, data: { state: 'QUEUED', dispatch: id } });
  return { run, dispatch: String(id) };
}

const FILES: FileSet = { files: [{ path: 'output.txt', sha256: sha('a'), size: 5 }] };
const LOG = { sha256: sha('c'), size: 9, truncated: false };

/** Reports the end of a run's only step. @returns id of its subjob */
async function finish(
  { run, dispatch }: { run: Run; dispatch: string },
  cache: FinishedReport['cache'],
  more: Partial<FinishedReport> = {},
): Promise<string> {
  const report: FinishedReport = {
    ...{ type: 'finished', dispatch, task: 0, attempt: 1, step: 0, at: Date.now(), startedAt: Date.now() - 50 },
    ...{ outcome: 'succeeded', exitCode: 0, message: null, params: {}, outputs: FILES, stdout: LOG, stderr: null },
    ...{ cpuMs: 1_500, maxRssBytes: 7, split: null, ...(cache && { cache }) },
    ...more,
  };
  await worker.call(receiveReports, { worker: 'w-1', reports: [report, { type: 'closed', dispatch }] });
  return String((await database.client.subjob.findFirstOrThrow({ where: { runId: run.id } })).id);
}

/** Runs a step whose result may be reused. */
async function succeed(key: CacheKey, place: Place = {}, more: Partial<FinishedReport> = {}) {
  const started = await begin(place);
  return { ...started, subjob: await finish(started, { ...key, from: null }, more) };
}

async function find(key: CacheKey, place: Place = {}, by = 'w-1') {
  const { dispatch } = await begin(place);
  return (await worker.call(findCached, { worker: by, dispatch, keys: [key.key] })).found;
}

describe('a cached result', () => {
  it('is found by another run of its space, with the reported content', async () => {
    const key = newKey();
    const { subjob } = await succeed(key, {}, { message: '1 in out/ left out', stderr: LOG });
    expect(await find(key)).toEqual([
      ...[
        { key: key.key, subjob, exitCode: 0, message: '1 in out/ left out', outputs: FILES, stdout: LOG, stderr: LOG },
      ],
    ]);
  });

  it('is not found in another space, in another vault, or by a worker that does not have the dispatch', async () => {
    const key = newKey();
    await succeed(key);
    expect(await find(key, { space: newId() })).toEqual([]);
    expect(await find(key, { space: newId(), vault: newId() })).toEqual([]);
    await expect(find(key, {}, 'w-2')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each<[string, Partial<FinishedReport>]>([
    ['failed', { outcome: 'failed', exitCode: 1, message: 'exit code 1' }],
    ['was stopped', { outcome: 'stopped', exitCode: null }],
  ])('is not made of a step that %s', async (_, more) => {
    const key = newKey();
    await succeed(key, {}, more);
    expect(await find(key)).toEqual([]);
  });

  it('belongs to the workflow that computed it last, and is removed with the results of that one', async () => {
    const [key, workflow, other] = [newKey(), newId(), newId()];
    await succeed(key, { workflow });
    await succeed(key, { workflow: other });
    const remove = (selection: CacheSelection) => deleteCachedResults(database, selection, () => undefined);
    expect(await remove({ workflow })).toEqual({ removed: 0, complete: true });
    expect(await remove({ workflow: other, node: 'a-1' })).toEqual({ removed: 1, complete: true });
    expect(await find(key)).toEqual([]);
  });

  it('is replaced by a later one of the same key, and stays when the earlier run is deleted', async () => {
    const key = newKey();
    const first = await succeed(key);
    const outputs: FileSet = { files: [{ path: 'output.txt', sha256: sha('b'), size: 5 }] };
    const second = await succeed(key, {}, { outputs });
    await system.callAs(owner, deleteRun, { params: { id: String(first.run.id) } });
    expect(await find(key)).toMatchObject([{ subjob: second.subjob, outputs }]);
  });

  it('is deleted with its run, even if another run reused it', async () => {
    const key = newKey();
    const { run, subjob } = await succeed(key);
    await finish(await begin(), { ...key, from: subjob });
    await system.callAs(owner, deleteRun, { params: { id: String(run.id) } });
    expect(await find(key)).toEqual([]);
  });

  it('is deleted with its space', async () => {
    const [key, deletedSpace] = [newKey(), newId()];
    await succeed(key, { space: deletedSpace });
    await workflows.emit(spaceDeleted, { vault: owner.vault, space: deletedSpace, name: 's', user: owner.user });
    await eventually(async () =>
      expect(await database.client.cacheEntry.count({ where: { spaceId: deletedSpace } })).toBe(0),
    );
  });

  it('moves with its workflow to another space', async () => {
    const [key, workflow, target] = [newKey(), newId(), newId()];
    await succeed(key, { workflow });
    const ofWorkflow = { workflowId: workflow, node: 'a-1' };
    expect(await database.client.cacheEntry.findMany({ where: { key: key.key } })).toMatchObject([ofWorkflow]);
    moved = { workflow, space: target };
    const place = { space: target, spaceName: 'Away', project: null, projectName: null };
    await workflows.emit(workflowMoved, { vault: owner.vault, workflow, ...place });
    await eventually(async () => expect(await find(key, { space: target })).toHaveLength(1));
    expect(await find(key)).toEqual([]);
    expect(await database.client.cacheEntry.findMany({ where: { key: key.key } })).toMatchObject([ofWorkflow]);
  });

  it('is deleted after the retention time, which starts again with each use', async () => {
    const [old, used] = [newKey(), newKey()];
    for (const key of [old, used]) await succeed(key);
    await database.client.$executeRaw`
      UPDATE runs.cache_entry SET last_used_at = now() - interval '31 days' WHERE key IN (${old.key}, ${used.key})`;
    expect(await find(used)).toHaveLength(1);
    expect(await new CacheExpiry(database, 30).deleteUnused()).toBe(1);
    expect([await find(old), await find(used)]).toEqual([[], [expect.anything()]]);
  });

  it('is returned as a stored list if it has many outputs', async () => {
    const key = newKey();
    const files = Array.from({ length: 100 }, (_, at) => ({ path: `f${at}`, sha256: sha('a'), size: 5 }));
    await succeed(key, {}, { outputs: { files } });
    const [found] = await find(key);
    expect(found!.outputs).toEqual({ manifest: expect.any(String), count: 100 });
    const content = await store.readAll('manifest' in found!.outputs ? found!.outputs.manifest : '');
    const lines = content.toString().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(files);
  });

  it('is written once if several children of a batch have the same key', async () => {
    const [one, two] = [await begin(), await begin()];
    const key = newKey();
    const report = ({ dispatch }: typeof one): FinishedReport => ({
      ...{
        type: 'finished',
        dispatch,
        task: 0,
        attempt: 1,
        step: 0,
        at: Date.now(),
        startedAt: Date.now(),
      },
      ...{ outcome: 'succeeded', exitCode: 0, message: null, params: {}, outputs: FILES, stdout: null, stderr: null },
      ...{ cpuMs: 1, maxRssBytes: null, split: null, cache: { ...key, from: null } },
    });
    await worker.call(receiveReports, { worker: 'w-1', reports: [report(one), report(two)] });
    expect(await find(key)).toHaveLength(1);
  });
});

describe('a subjob with a cached result', () => {
  it('shows the source of the result, has outputs of its own, and costs nothing', async () => {
    const key = newKey();
    const { run: source, subjob } = await succeed(key);
    const files = [{ path: 'output.txt', sha256: sha('a'), size: 5, shown: { sha256: sha('e'), size: 3 } }];
    const started = await begin();
    const id = await finish(started, { ...key, from: subjob }, { cpuMs: 0, outputs: { files } });
    const params = { id: String(started.run.id), subjobId: id };
    expect(await system.callAs(owner, getSubjob, { params })).toMatchObject({
      ...{ status: 'SUCCEEDED', cached: true, cached_from: subjob, exit_code: 0, execution_units: 0, cpu_ms: 0 },
      cached_from_run: String(source.id),
    });
    const { results } = await system.callAs(owner, listSubjobOutputs, { params });
    expect(results).toMatchObject([{ subjob: id, path: 'output.txt', sha256: sha('e'), size: 3 }]);
    const run = await system.callAs(owner, getRun, { params: { id: params.id } });
    expect(run).toMatchObject({ status: 'COMPLETED', execution_units: 0 });
    const published = await database.client.outbox.findMany({ where: { name: 'runs.subjobs.finished' } });
    expect(JSON.stringify(published.map(({ payload }) => payload))).not.toContain(`"subjob":"${id}"`);
  });

  it('shows the run of the source in lists too, until that run is deleted', async () => {
    const key = newKey();
    const { run: source, subjob } = await succeed(key);
    const started = await begin();
    const id = await finish(started, { ...key, from: subjob }, { cpuMs: 0 });
    const list = async () =>
      (await system.callAs(owner, listSubjobs, { params: { id: String(started.run.id) } })).results;
    expect(await list()).toMatchObject([{ id, cached_from: subjob, cached_from_run: String(source.id) }]);
    const origin = { id: String(source.id), subjobId: subjob };
    expect(await system.callAs(owner, getSubjob, { params: origin })).toMatchObject({ id: subjob, cached: false });
    await system.callAs(owner, deleteRun, { params: { id: String(source.id) } });
    const [record] = await list();
    expect(record).toMatchObject({ cached: true, cached_from: subjob });
    expect(record).not.toHaveProperty('cached_from_run');
  });

  it('shows no source if it was executed', async () => {
    const { run, subjob } = await succeed(newKey());
    const shown = await system.callAs(owner, getSubjob, { params: { id: String(run.id), subjobId: subjob } });
    expect(shown).toMatchObject({ cached: false, execution_units: 2 });
    expect(shown).not.toHaveProperty('cached_from');
    expect(shown).not.toHaveProperty('cached_from_run');
  });
});
