import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { vaultAdministered } from '@millrace/contracts/auth/admin/admin-vaults';
import { getLoad, listRejected, retryLoad } from '@millrace/contracts/datasets/loads';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { seedIngestTable } from '../testing/start-ingesting.js';

const owner = ownerCaller();
let system: SystemWithStore;
beforeAll(async () => {
  system = await startWithStore([start], { LIVE_ROWS_LIMIT: '3' });
});
afterAll(() => system.close());

const lines = (...keys: number[]) => keys.map((k) => JSON.stringify({ k, n: 1 })).join('\n');

const seed = (key = ['k']) => seedIngestTable(system, owner, key);

it.each([[['k']], [[]]])(
  'rows beyond the limit are not written before they are refused, with the key %j',
  async (key) => {
    const table = await seed(key);
    expect(await table.append(lines(1, 2, 3, 4))).toMatchObject({ status: 'FAILED' });
    const numbered = "SELECT pg_sequence_last_value(pg_get_serial_sequence('TABLE', '_id')::regclass) AS last";
    expect(await table.query(numbered)).toEqual([{ last: null }]);
  },
);

it("a load beyond the vault's row limit fails, changes nothing, and can be retried", async () => {
  const [table, other] = [await seed(), await seed()];
  const load = await table.append(lines(1, 2, 3, 4));
  expect(load).toMatchObject({ status: 'FAILED', rows_new: 0 });
  expect(load.error).toContain('4 rows in total, but at most 3 are allowed');
  expect(await table.types()).toEqual({ k: 'text' });
  expect(await table.staged()).toEqual([]);
  const retry = { params: { id: table.table.id, loadId: load.id } };
  expect(await system.callAs(owner, retryLoad, retry)).toMatchObject({ status: 'READING' });
  expect(await other.append(lines(1, 2, 3))).toMatchObject({ status: 'COMPLETED', rows_new: 3 });
  expect(await table.append(lines(1))).toMatchObject({ status: 'FAILED' });
});

it('a failed load has the rejected rows of its last attempt', async () => {
  const table = await seed();
  const load = await table.append(`${lines(1, 2)}\nnonsense\n${lines(3, 4)}`);
  expect(load).toMatchObject({ status: 'FAILED', rows_rejected: 1 });
  const rejected = () =>
    system.callAs(owner, listRejected, { params: { id: table.table.id }, query: { load: load.id } });
  const expected = { count: 1, results: [{ line: 3, text: 'nonsense', reason: expect.any(String) }] };
  expect(await rejected()).toMatchObject(expected);
  const retry = { params: { id: table.table.id, loadId: load.id } };
  await system.callAs(owner, retryLoad, retry);
  await eventually(async () => expect((await system.callAs(owner, getLoad, retry)).status).toBe('FAILED'));
  expect(await rejected()).toMatchObject(expected);
});

it('a load that exceeds the row limit does not change the columns', async () => {
  const table = await seed();
  await table.append('{"k":"a","n":1}');
  const columns = await table.columns();
  const wide = [2, 3, 4].map((k) => JSON.stringify({ k, n: 'text', more: true })).join('\n');
  expect(await table.append(wide)).toMatchObject({ status: 'FAILED' });
  expect(await table.columns()).toEqual(columns);
});

it('an administrator may set another limit for a vault, from 0', async () => {
  const other = ownerCaller();
  const table = await seedIngestTable(system, other, ['k']);
  const auth = await system.sourceOf('auth');
  const limits = { activeRuns: null, dispatches: null, storageBytes: null };
  const decide = async (number: number, liveRows: number) => {
    const decision = { vault: other.vault, number, suspended: false, stopRuns: false, ...limits, liveRows };
    await auth.emit(vaultAdministered, decision);
    const sql = 'SELECT number FROM datasets.vault_override WHERE vault_id = $1';
    await eventually(async () => expect(await system.database.query(sql, [other.vault])).toEqual([{ number }]));
  };
  await decide(1, 5);
  expect(await table.append(lines(1, 2, 3, 4, 5))).toMatchObject({ status: 'COMPLETED', rows_new: 5 });
  await decide(2, 0);
  const load = await table.append(lines(6));
  expect(load).toMatchObject({ status: 'FAILED', error: expect.stringContaining('at most 0 are allowed') });
});
