import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { OpenWork } from './open-work.js';

const NOTHING = { runs: false, lostWorkers: false, deletions: false, sandboxes: false };

let postgres: FreshDatabase;
let database: Database;
beforeAll(async () => {
  postgres = await freshDatabase();
  database = new Database({ url: postgres.url, service: 'runs', connections: 2 });
});
afterEach(async () => {
  await database.client.$executeRaw`DELETE FROM runs.dispatch`;
  await database.client.$executeRaw`DELETE FROM runs.run`;
  await database.client.$executeRaw`DELETE FROM runs.worker`;
  await database.client.$executeRaw`DELETE FROM runs.sandbox_host`;
});
afterAll(async () => {
  await database.close();
  await postgres.drop();
});

const createRun = (times: { finishedAt?: Date; deletedAt?: Date }) =>
  database.client.run.create({
    data: {
      ...{ vaultId: newId(), name: 'r', status: 'RUNNING', creationType: 'API', author: newId() },
      ...{ workflowId: newId(), workflowName: 'w', versionId: newId(), spaceId: newId(), spaceName: 's' },
      ...{ plan: 'a'.repeat(64), inputs: {}, parallelism: 1, openSegments: 1, ...times },
    },
  });
const createWorker = (state: string, lastSeen: string) => database.client.$executeRaw`
  INSERT INTO runs.worker (id, host, slots, state, last_seen) VALUES ('w', 'h', 1, ${state}, now() - ${lastSeen}::interval)`;
const createHost = (seen: string) => database.client.$executeRaw`
  INSERT INTO runs.sandbox_host (worker, slots, seen_at) VALUES ('w', 1, now() - ${seen}::interval)`;

it.each([
  ['nothing', async () => undefined, {}],
  [
    'a run that has ended, and a worker and a host that send heartbeats',
    async () => {
      await createRun({ finishedAt: new Date() });
      await createWorker('active', '1 s');
      await createHost('1 s');
    },
    {},
  ],
  ['a run that has not ended', () => createRun({}), { runs: true }],
  [
    'a dispatch of a run that has ended',
    async () => {
      const { id } = await createRun({ finishedAt: new Date() });
      await database.client.dispatch.create({ data: { runId: id, segment: 0 } });
    },
    { runs: true },
  ],
  ['a deleted run', () => createRun({ finishedAt: new Date(), deletedAt: new Date() }), { deletions: true }],
  ['a worker that has stopped', () => createWorker('stopped', '1 s'), { lostWorkers: true }],
  ['a worker without heartbeats', () => createWorker('active', '1 minute'), { lostWorkers: true }],
  ['a host of sandboxes without heartbeats', () => createHost('1 minute'), { sandboxes: true }],
])('finds %s', async (_, create, found) => {
  await create();
  expect(await new OpenWork(database).look()).toEqual({ ...NOTHING, ...found });
});

it('uses an answer again until this process has changed something', async () => {
  const work = new OpenWork(database);
  expect(await work.look()).toEqual(NOTHING);
  await createRun({});
  expect(await work.look()).toEqual(NOTHING);
  work.forget();
  expect(await work.look()).toEqual({ ...NOTHING, runs: true });
});

it('asks again after it could not ask', async () => {
  const work = new OpenWork(database);
  await database.client.$executeRaw`ALTER TABLE runs.sandbox_host RENAME TO renamed`;
  await expect(work.look()).rejects.toThrow('sandbox_host');
  await database.client.$executeRaw`ALTER TABLE runs.renamed RENAME TO sandbox_host`;
  expect(await work.look()).toEqual(NOTHING);
});
