import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateColumn } from '@millrace/contracts/datasets/columns';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../../start.js';
import type { IngestTable } from '../../testing/ingest-table.js';
import { seedIngestTable } from '../../testing/start-ingesting.js';

const owner = ownerCaller();
let system: SystemWithStore;
beforeAll(async () => {
  system = await startWithStore([start]);
});
afterAll(() => system.close());

/** Creates a table whose key may have any type. */
async function seed(): Promise<IngestTable> {
  const table = await seedIngestTable(system, owner, ['v']);
  await table.query('UPDATE datasets.dataset_column SET declared = false WHERE dataset_id = $1', [table.table.id]);
  return table;
}

const keys = (values: readonly unknown[]) => values.map((v) => JSON.stringify({ v })).join('\n');

/** For each type: values, the same values in other notations, and texts that only look like values of the type. */
const KINDS = [
  {
    type: 'timestamp',
    values: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123456Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    same: ['2026-01-01 01:00:00+01:00', '2025-12-31t23:00:00.123456-01:00', '0001-01-01T01:00:00+01:00'],
    others: [
      '0001-01-01T00:00:00+05:00',
      '9999-12-31T23:59:59-10:00',
      '2026-01-01',
      'now',
      '2026-01-01T24:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01T00:00:60Z',
      '0000-01-01T00:00:00Z',
    ],
  },
  {
    type: 'inet',
    values: ['10.0.0.1', '10.0.0.0/8', '2001:db8::1', '::ffff:1.2.3.4', '::'],
    same: ['2001:DB8:0:0::1', '10.0.0.1/32', '2001:0db8::0001', '0:0::0'],
    others: ['010.0.0.1', '10.0.0.01', '10.0.0', '10.0.0.0/08', '300.0.0.1', 'a:b', '::ffff:01.2.3.4', 'fe80::1%eth0'],
  },
  {
    type: 'uuid',
    values: ['0198c0de-0000-7000-8000-00000000000a'],
    same: ['0198C0DE-0000-7000-8000-00000000000A'],
    others: ['0198c0de00007000800000000000000a', '{0198c0de-0000-7000-8000-00000000000a}'],
  },
  {
    type: 'double',
    values: [1.5, 0.1, 1e300, 0.12345678901234566],
    same: ['1.50', '0.10', '1e+300', '12345678901234566e-17', '15e-1'],
    others: ['0.123456789012345678901', 'NaN', 'Infinity', '1e400', '1.', '01.5', '0x1p3', '1_0.5', '1e-400'],
  },
] as const;

describe.each(KINDS)('a key of $type that becomes text', ({ type, values, same, others }) => {
  it('is the same key in any notation, and texts that are not of that type stay unmodified', async () => {
    const table = await seed();
    await table.append(keys(values));
    expect(await table.types()).toEqual({ v: type });
    await table.append(keys(['x']));
    const before = await table.rows();
    expect(before).toHaveLength(values.length + 1);
    expect(await table.append(keys(values))).toMatchObject({ rows_new: 0, rows_unchanged: values.length });
    expect(await table.append(keys(same))).toMatchObject({ rows_new: 0 });
    expect(await table.append(keys(others))).toMatchObject({ rows_new: others.length });
    expect(await table.rows()).toEqual([...before, ...others.map((v) => ({ v }))]);
    expect(await table.append(keys([...values, ...same, ...others]))).toMatchObject({ rows_new: 0 });
  });

  it('is the same key also if a user makes it text', async () => {
    const table = await seed();
    await table.append(keys(values));
    await system.callAs(owner, updateColumn, { params: { id: table.table.id, name: 'v' }, body: { type: 'text' } });
    expect(await table.append(keys([...values, ...same]))).toMatchObject({ rows_new: 0 });
  });
});

it('a key that has been text since its first row keeps its notation', async () => {
  const table = await seed();
  const written = ['x', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.0Z', '2001:DB8::1', '2001:db8::1'];
  await table.append(keys(written));
  await table.append(keys(written));
  expect((await table.rows()).map(({ v }) => v)).toEqual(written);
});

it.each([[[7]], [[true, 7]]])('a key that became text also accepts %j, which are not texts', async (values) => {
  const table = await seed();
  await table.append(keys(['10.0.0.1']));
  await table.append(keys(values));
  await table.append(keys(values));
  expect((await table.rows()).map(({ v }) => v)).toEqual(['10.0.0.1', ...values.map(String)]);
});

it.each([
  ['timestamp', ['2026-01-01', '2026-01-02 10:00']],
  ['bigint', ['007', '+8']],
  ['boolean', ['yes', 'off']],
] as const)('a key that a user made %s treats texts as the keys that they were converted to', async (type, values) => {
  const table = await seed();
  await table.append(keys(values));
  await system.callAs(owner, updateColumn, { params: { id: table.table.id, name: 'v' }, body: { type } });
  expect(await table.append(keys(values))).toMatchObject({ rows_new: 0 });
  expect(await table.append(keys(values))).toMatchObject({ rows_new: 0, rows_unchanged: values.length });
});

it.each([
  ['double', '1.5', ['123456789012345678901', '123456789012345678902', '0.1000000000000000000001', '0.1']],
  ['timestamp', '2026-01-01', ['2026-01-01T00:00:00.1234567Z', '2026-01-01T00:00:00.1234568Z']],
] as const)('a key that a user made %s distinguishes texts that lose precision in it', async (type, value, values) => {
  const table = await seed();
  await table.append(keys([value, 'x']));
  await table.query("DELETE FROM TABLE WHERE c1 = 'x'");
  await system.callAs(owner, updateColumn, { params: { id: table.table.id, name: 'v' }, body: { type } });
  expect(await table.append(keys(values))).toMatchObject({ rows_new: values.length });
});
