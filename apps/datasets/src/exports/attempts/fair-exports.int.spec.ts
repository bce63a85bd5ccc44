import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import type { SystemWithStore } from '@millrace/testkit/start-with-store';
import { type Exporting, seedHosts, startExporting } from '../testing/exporting.js';
import { beginAttempt } from './export-attempt.js';
import { ExportThreads } from './export-threads.js';
import { explainFailure, watchAttempt } from './watch-attempt.js';

let system: SystemWithStore;
let exporting: Exporting;
beforeAll(async () => void ({ system, exporting } = await startExporting()));
afterAll(() => system.close());

const runningOf = ({ vault }: Caller) =>
  system.database.query<{ user: string }>(
    `SELECT "user" FROM datasets.export WHERE vault_id = $1 AND status = 'RUNNING'`,
    [vault],
  );

describe('slow exports', () => {
  it('do not occupy the writers of other vaults and users, and all are written eventually', async () => {
    const owner = ownerCaller();
    const dataset = await seedHosts(system, owner);
    const holder = new Client({ connectionString: system.database.url });
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE live.d_${dataset.number} IN ACCESS EXCLUSIVE MODE`);
    const users = [owner, { ...owner, user: newId() }, { ...owner, user: newId() }];
    const ordered: [Caller, string][] = [];
    for (const user of users) {
      for (let at = 0; at < 5; at++) {
        ordered.push([user, (await exporting.create(user, { dataset: dataset.id })).id]);
      }
    }
    await eventually(async () => expect(await runningOf(owner)).toHaveLength(2));

    const otherOwner = ownerCaller();
    const { id: other } = await seedHosts(system, otherOwner);
    const { id } = await exporting.create(otherOwner, { dataset: other });
    expect(await exporting.waitUntilFinished(otherOwner, id)).toMatchObject({ status: 'COMPLETED', rows: 3 });
    const running = await runningOf(owner);
    expect([running.length, new Set(running.map(({ user }) => user)).size]).toEqual([2, 2]);

    await holder.end();
    for (const [user, one] of ordered) {
      expect(await exporting.waitUntilFinished(user, one)).toMatchObject({ status: 'COMPLETED', rows: 3 });
    }
  });
});

describe('an export for which Postgres searches the next row for too long', () => {
  it('fails with a message', async () => {
    // A role sees the queries of its own connections only.
    const url = String(system.database.logins['DATABASE_URL_DATASETS']);
    const database = new Database({ url, service: 'datasets', connections: 3 });
    const { id } = await database.client.export.create({
      data: {
        ...{ vaultId: newId(), spaceId: newId(), datasetId: newId(), solutionId: newId(), user: newId() },
        ...{ q: '', select: '', order: '', format: 'csv', fileName: 'x.csv', status: 'RUNNING' },
        createdAt: new Date(Date.now() + 3_600_000),
      },
    });
    const owner = ownerCaller();
    const dataset = await seedHosts(system, owner);
    await database.client.export.update({ where: { id }, data: { datasetId: dataset.id } });
    const attempt = await beginAttempt(database, id);
    await system.database.query(`UPDATE live.d_${dataset.number} SET c1 = repeat('a', 301)`);
    const task = {
      database: { url },
      storage: { STORAGE_DIR: `${system.folder}/silent`, STORAGE_CACHE: 1 },
      format: 'csv' as const,
      dataset: dataset.id,
      selection: { q: 'host ~ "^(a+)(a+)(a+)(a+)\\1\\2\\3\\4$"', select: '', order: '' },
      now: new Date(),
    };
    const writing = watchAttempt(attempt!, (watcher) => new ExportThreads().write(task, watcher), 1_500);
    const problem = await writing.then(
      () => null,
      (error: unknown) => explainFailure(error),
    );
    expect(problem).toMatch(/^The query found no row/);
    await eventually(async () => {
      const left = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'millrace-datasets-export'
        AND datname = current_database()`;
      expect(await system.database.query(left)).toEqual([]);
    });
    await database.close();
  });
});
