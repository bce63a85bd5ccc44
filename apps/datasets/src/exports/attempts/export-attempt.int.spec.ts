import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { markDeleted } from '../records/deleted-exports.js';
import { beginAttempt, AttemptSupersededError } from './export-attempt.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'datasets', connections: 3 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const file = (digit: string) => ({ sha256: digit.repeat(64), size: 1 });

async function insertExport(): Promise<bigint> {
  const record = await database.client.export.create({
    data: {
      ...{ vaultId: newId(), spaceId: newId(), datasetId: newId(), solutionId: newId(), user: newId() },
      ...{ q: '', select: '', order: '', format: 'csv', fileName: 'x.csv', status: 'PENDING' },
    },
  });
  return record.id;
}

const records = (sha256: string) =>
  database.client.export.findMany({ where: { sha256 }, select: { status: true }, orderBy: { id: 'asc' } });

describe('of two concurrent attempts', () => {
  it('only the later one can store a file and end the export', async () => {
    const id = await insertExport();
    const [earlier, later] = [await beginAttempt(database, id), await beginAttempt(database, id)];
    await expect(earlier!.reserveFile(file('a'))).rejects.toThrow(AttemptSupersededError);
    await expect(earlier!.complete(file('a'), 1)).rejects.toThrow(AttemptSupersededError);
    await expect(earlier!.reportProgress({ pid: 0, bytes: 1 })).rejects.toThrow(AttemptSupersededError);
    await earlier!.fail('no');
    await earlier!.release();
    await later!.reserveFile(file('b'));
    await later!.complete(file('b'), 1);
    expect(await database.client.export.findUnique({ where: { id } })).toMatchObject({
      ...file('b'),
      size: 1n,
      status: 'COMPLETED',
    });
    expect(await beginAttempt(database, id)).toBeNull();
  });
});

describe('a reserved file', () => {
  it('has a record until it is deleted after another one replaced it', async () => {
    const id = await insertExport();
    await (await beginAttempt(database, id))!.reserveFile(file('c'));
    await (await beginAttempt(database, id))!.reserveFile(file('d'));
    expect(await records(file('c').sha256)).toEqual([{ status: 'DELETED' }]);
    expect(await records(file('d').sha256)).toEqual([{ status: 'RUNNING' }]);
  });

  it('has a record if the export fails or is deleted', async () => {
    const [failing, deleted] = [await insertExport(), await insertExport()];
    const attempt = await beginAttempt(database, failing);
    await attempt!.reserveFile(file('e'));
    await attempt!.fail('it did');
    await (await beginAttempt(database, deleted))!.reserveFile(file('e'));
    await database.transaction((tx) => markDeleted(tx, deleted));
    expect(await records(file('e').sha256)).toEqual([{ status: 'DELETED' }, { status: 'DELETED' }]);
  });
});
