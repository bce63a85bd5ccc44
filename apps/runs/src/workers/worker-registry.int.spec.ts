import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { heartbeat, type Heartbeat } from '@millrace/contracts/runs/report';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { drawChain } from '@millrace/graph/testing/draw-workflow';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';
import { WorkerRegistry } from './worker-registry.js';

let postgres: FreshDatabase;
let database: Database;
let folder: string;
let run: bigint;

beforeAll(async () => {
  postgres = await freshDatabase();
  database = new Database({ url: postgres.url, service: 'runs', connections: 2 });
  folder = await mkdtemp(join(tmpdir(), 'workers-'));
  const plan = await new PlanStore(new DiskStore(folder)).save(compilePlan(drawChain(1).data(), {}));
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  const ids = { vaultId: newId(), author: newId(), version: newId() };
  const rest = {
    name: 'r',
    creationType: 'API' as const,
    status: 'SUBMITTED' as const,
    parallelism: 1,
    timeoutSeconds: null,
    origin: null,
    schedule: null,
  };
  run = (await database.transaction((tx) => insertRun(tx, { plan, workflow, inputs: {}, ...ids, ...rest }))).id;
});

afterAll(async () => {
  await database.close();
  await postgres.drop();
  await rm(folder, { recursive: true });
});

const LONG_AGO = new Date(Date.now() - 60_000);
const HOURS_AGO = new Date(Date.now() - 2 * 3_600_000);

const dispatch = async (worker: string, more: { cancelled?: boolean; claimedAt?: Date } = {}): Promise<string> => {
  const created = await database.client.dispatch.create({
    data: { runId: run, segment: 0, worker, claimedAt: LONG_AGO, ...more },
  });
  return String(created.id);
};

const sendHeartbeat = (worker: string, dispatches: string[], replaces: string | null = null) =>
  new WorkerRegistry(database).recordHeartbeat(heartbeat.parse({ worker, host: 'h', slots: 1, dispatches, replaces }));

describe('a heartbeat', () => {
  it('repeats a cancellation for as long as the worker lists the dispatch', async () => {
    const stopped = await dispatch('a', { cancelled: true });
    const running = await dispatch('a');
    expect(await sendHeartbeat('a', [stopped, running, '999999'])).toMatchObject({
      lost: [],
      unwanted: [stopped, '999999'],
    });
  });

  it('reports dispatches that it does not list as lost, unless the worker has just claimed them', async () => {
    const lost = await dispatch('b');
    await dispatch('b', { claimedAt: new Date() });
    const { lost: losses, unwanted } = await sendHeartbeat('b', []);
    expect({ losses, unwanted }).toMatchObject({
      losses: [{ dispatch: BigInt(lost), worker: 'b', cause: 'missing' }],
      unwanted: [],
    });
  });

  it('of a worker that replaces another one makes all dispatches of that worker lost', async () => {
    await sendHeartbeat('c', []);
    const orphan = await dispatch('c', { claimedAt: new Date() });
    const loss = { dispatch: BigInt(orphan), worker: 'c', host: 'h', lastSeen: expect.any(Date), cause: 'replaced' };
    expect(await sendHeartbeat('d', [], 'c')).toMatchObject({ lost: [loss], unwanted: [] });
    expect(await database.client.worker.findUnique({ where: { id: 'c' } })).toBeNull();
  });
});

describe('a worker without heartbeats', () => {
  const registry = () => new WorkerRegistry(database);
  const makeSilent = (worker: string) =>
    database.client.worker.update({ where: { id: worker }, data: { lastSeen: LONG_AGO } });

  it('loses its dispatches, which name its host and last heartbeat, and provides no slots', async () => {
    await database.client.dispatch.deleteMany();
    await database.client.worker.deleteMany();
    await sendHeartbeat('e', []);
    await sendHeartbeat('f', []);
    expect(await registry().countSlots()).toBe(2);
    const lost = await dispatch('e');
    await dispatch('f');
    await makeSilent('e');
    expect(await registry().countSlots()).toBe(1);
    const loss = { dispatch: BigInt(lost), worker: 'e', host: 'h', lastSeen: LONG_AGO, cause: 'silent' };
    expect(await registry().findLostDispatches()).toEqual([loss]);
  });

  it('keeps its row for an hour, and as long as messages need it', async () => {
    await sendHeartbeat('g', []);
    const claimed = await dispatch('g', { claimedAt: new Date() });
    await makeSilent('g');
    expect((await registry().findLostDispatches()).filter(({ worker }) => worker === 'g')).toEqual([]);
    await database.client.dispatch.update({ where: { id: BigInt(claimed) }, data: { claimedAt: LONG_AGO } });
    expect((await registry().findLostDispatches()).filter(({ worker }) => worker === 'g')).toMatchObject([
      { host: 'h', lastSeen: LONG_AGO },
    ]);
    const findRow = () => database.client.worker.findUnique({ where: { id: 'g' } });
    await database.client.dispatch.deleteMany({ where: { worker: 'g' } });
    await registry().findLostDispatches();
    expect(await findRow()).not.toBeNull();
    await database.client.worker.update({ where: { id: 'g' }, data: { lastSeen: HOURS_AGO } });
    await registry().findLostDispatches();
    expect(await findRow()).toBeNull();
  });
});

describe('an order', () => {
  const send = (worker: string, more: Partial<Heartbeat> = {}) =>
    new WorkerRegistry(database).recordHeartbeat(
      heartbeat.parse({ worker, host: 'h', slots: 3, dispatches: [], replaces: null, ...more }),
    );
  const fleetOf = async (name: string) =>
    (await new WorkerRegistry(database).readFleets()).fleets.find((fleet) => fleet.name === name);
  const cordon = (id: string) => database.client.worker.update({ where: { id }, data: { desired: 'cordoned' } });

  it('is repeated until the heartbeats of the worker show it, and holds for a worker that replaces it', async () => {
    await send('o');
    await cordon('o');
    expect((await send('o')).order).toBe('cordoned');
    expect((await send('o', { state: 'cordoned' })).order).toBeNull();
    expect((await send('p', { replaces: 'o' })).order).toBe('cordoned');
    expect((await send('p', { state: 'draining' })).order).toBeNull();
  });

  it('takes the slots of the worker from its fleet at once', async () => {
    await send('q', { fleet: 'f1' });
    await send('r', { fleet: 'f1', state: 'draining' });
    expect(await fleetOf('f1')).toMatchObject({ slots: 3, isLive: true });
    await cordon('q');
    expect(await fleetOf('f1')).toMatchObject({ slots: 0, isLive: true });
  });

  it('is not needed for a worker that has ended in order: it is no longer listed', async () => {
    await send('s', { fleet: 'f2' });
    await send('s', { fleet: 'f2', state: 'stopped' });
    await new WorkerRegistry(database).findLostDispatches();
    expect(await database.client.worker.findUnique({ where: { id: 's' } })).toBeNull();
  });
});

it('a fleet offers what all of its workers have, and without workers what the last ones had', async () => {
  const send = (worker: string, labels: Record<string, string>, state: Heartbeat['state'] = 'active') =>
    new WorkerRegistry(database).recordHeartbeat(
      heartbeat.parse({ worker, host: 'h', slots: 1, dispatches: [], replaces: null, fleet: 'mixed', labels, state }),
    );
  const read = async () =>
    (await new WorkerRegistry(database).readFleets()).fleets.find(({ name }) => name === 'mixed');
  await send('t', { gpu: 'true', zone: 'eu' });
  await send('u', { gpu: 'true', zone: 'us' });
  expect(await read()).toMatchObject({ labels: { gpu: 'true' }, slots: 2 });
  await new WorkerRegistry(database).rememberFleets();
  await send('t', {}, 'stopped');
  await send('u', {}, 'stopped');
  expect(await read()).toMatchObject({ labels: { gpu: 'true' }, slots: 0, isLive: false });
});
