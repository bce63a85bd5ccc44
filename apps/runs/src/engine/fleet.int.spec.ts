import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compilePlan } from '@millrace/graph/compile-plan';
import { drawChain } from '@millrace/graph/testing/draw-workflow';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk-store';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { createRun } from './create-run.js';
import { Fleet } from './fleet.js';
import { PlanStore } from './plan-store.js';

let postgres: FreshDatabase;
let database: Database;
let folder: string;
let run: bigint;

beforeAll(async () => {
  postgres = await freshDatabase();
  database = new Database({ url: postgres.url, service: 'runs', connections: 2 });
  folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  const plan = await new PlanStore(new DiskStore(folder)).save(compilePlan(drawChain(1).data(), {}));
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  const ids = { vaultId: newId(), author: newId(), version: newId() };
  const rest = {
    name: 'r',
    creationType: 'API' as const,
    status: 'SUBMITTED' as const,
    parallelism: 1,
    deadline: null,
    origin: null,
    schedule: null,
  };
  run = (await database.transaction((tx) => createRun(tx, { plan, workflow, inputs: {}, ...ids, ...rest }))).id;
});

afterAll(async () => {
  await database.close();
  await postgres.drop();
  await rm(folder, { recursive: true });
});

const LONG_AGO = new Date(Date.now() - 60_000);

const dispatch = async (worker: string, more: { cancelled?: boolean; claimedAt?: Date } = {}): Promise<string> => {
  const made = await database.client.dispatch.create({
    data: { runId: run, segment: 0, worker, claimedAt: LONG_AGO, ...more },
  });
  return String(made.id);
};

const beat = (worker: string, dispatches: string[], replaces: string | null = null) =>
  new Fleet(database).note({ worker, host: 'h', slots: 1, dispatches, replaces });

describe('a heartbeat', () => {
  it('tells again what is to stop, for as long as the worker holds it', async () => {
    const stopped = await dispatch('a', { cancelled: true });
    const wanted = await dispatch('a');
    expect(await beat('a', [stopped, wanted, '999999'])).toEqual({ lost: [], unwanted: [stopped, '999999'] });
  });

  it('shows what the worker lost, but not what it has only just begun', async () => {
    const lost = await dispatch('b');
    await dispatch('b', { claimedAt: new Date() });
    expect(await beat('b', [])).toEqual({ lost: [BigInt(lost)], unwanted: [] });
  });

  it('of a successor gives up all that its predecessor had', async () => {
    const orphan = await dispatch('c', { claimedAt: new Date() });
    expect(await beat('d', [], 'c')).toEqual({ lost: [BigInt(orphan)], unwanted: [] });
  });
});
