import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../../../../libs/testkit/src/eventually.ts';
import { freshDatabase } from '../../../../libs/testkit/src/fresh-database.ts';
import { SCHEMAS } from './read-catalog.mjs';
import { takeSnapshot } from './take-snapshot.mjs';

/** @type {import('../../../../libs/testkit/src/fresh-database.ts').FreshDatabase} */
let fresh;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const readKeys = () => 'keys';
/** @param {Awaited<ReturnType<typeof takeSnapshot>>} snapshot @param {string} name */
function findLive(snapshot, name) {
  const part = snapshot.parts.find(({ live }) => live.some((table) => table.name === name));
  if (!part) throw new Error(`${name} is not in the snapshot`);
  return part.client;
}

describe('takeSnapshot', () => {
  it('takes another snapshot if a table is rewritten before it is locked, because COPY would find it empty', async () => {
    await fresh.query('CREATE TABLE live.d_901 (c1 int); INSERT INTO live.d_901 VALUES (7)');
    const other = new pg.Client(fresh.url);
    await other.connect();
    await other.query('BEGIN; ALTER TABLE live.d_901 ALTER c1 TYPE text');
    const taking = takeSnapshot(fresh.url, readKeys);
    await eventually(async () => {
      const waiting = await fresh.query(
        `SELECT FROM pg_locks WHERE NOT granted AND relation = 'live.d_901'::regclass AND mode = 'AccessShareLock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await other.query('COMMIT');
    await other.end();
    const snapshot = await taking;
    const { rows } = await findLive(snapshot, 'd_901').query('SELECT c1 FROM live.d_901');
    await snapshot.end();
    expect(rows).toEqual([{ c1: '7' }]);
  });

  it('keeps a Live Table from being dropped or changed until its rows are copied', async () => {
    await fresh.query('CREATE TABLE live.d_902 (c1 int)');
    const snapshot = await takeSnapshot(fresh.url, readKeys);
    await expect(fresh.query(`SET lock_timeout = '100ms'; DROP TABLE live.d_902`)).rejects.toThrow('lock timeout');
    await fresh.query('INSERT INTO live.d_902 VALUES (1)');
    const { rows } = await findLive(snapshot, 'd_902').query('SELECT FROM live.d_902');
    expect(rows).toEqual([]);
    await snapshot.end();
    await fresh.query('DROP TABLE live.d_902');
  });

  it('includes every schema of Millrace', async () => {
    const schemas = await fresh.query(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname NOT LIKE 'pg_%' AND nspname NOT IN ('information_schema', 'public') ORDER BY 1`,
    );
    expect(schemas.map(({ name }) => name)).toEqual(SCHEMAS);
  });
});
