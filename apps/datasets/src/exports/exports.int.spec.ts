import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteExport, downloadExport, EXPORT_FORMATS, listExports } from '@millrace/contracts/datasets/exports';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { SystemWithStore } from '@millrace/testkit/start-with-store';
import { type Exporting, seedHosts, seedNumbers, startExporting } from './testing/exporting.js';

let system: SystemWithStore;
let exporting: Exporting;
beforeAll(async () => void ({ system, exporting } = await startExporting()));
afterAll(() => system.close());

const HOSTS = `host,port\nb.example.org,443\na.example.org,-80\n'=1+1,\n`;
const refusal = (code: string, details?: Record<string, unknown>): unknown => {
  const named: unknown = details && expect.objectContaining(details);
  return expect.objectContaining({ code, ...(details && { details: named }) });
};
const list = (caller: Caller, query: object = {}) => system.callAs(caller, listExports, { query });
const remove = (caller: Caller, id: string) => system.callAs(caller, deleteExport, { params: { id } });

async function seedView(
  owner: Caller,
  dataset: { id: string; solution: string },
  { q = '', select = '', order = '' }: { q?: string; select?: string; order?: string },
): Promise<string> {
  const id = newId();
  await system.database.query(
    `INSERT INTO datasets.view (id, vault_id, solution_id, dataset_id, name, "select", "order", q, author, modified_at)
     VALUES ($1, $2, $3, $4, 'Open ports', $5, $6, $7, $8, now())`,
    [id, owner.vault, dataset.solution, dataset.id, select, order, q, owner.user],
  );
  return id;
}

/** Creates an export and waits until it is completed. */
async function completed(owner: Caller, body: object): Promise<string> {
  const { id } = await exporting.create(owner, body);
  expect(await exporting.waitUntilFinished(owner, id)).toMatchObject({ status: 'COMPLETED' });
  return id;
}

describe('an export', () => {
  it('has the rows of a table in the order of insertion', async () => {
    const owner = ownerCaller();
    const { id: dataset, solution } = await seedHosts(system, owner);
    const ordered = await exporting.create(owner, { dataset });
    expect(ordered).toMatchObject({ status: 'PENDING', datasetId: dataset, solutionId: solution, user: owner.user });
    expect(ordered.fileName).toMatch(/^Hosts-\d{4}-\d\d-\d\d\.csv$/);
    const finished = await exporting.waitUntilFinished(owner, ordered.id);
    expect(finished).toMatchObject({ status: 'COMPLETED', rows: 3, size: HOSTS.length });
    expect(Date.parse(finished.expiresAt ?? '') - Date.parse(finished.finishedAt ?? '')).toBe(7 * 86_400_000);
    expect(await exporting.readFile(owner, ordered.id)).toBe(HOSTS);
  });

  it.each([
    ['', (n: number) => n],
    ['-n', (n: number) => -n],
    ['text', (n: number) => `row number ${n}`],
  ])('has the order %j even if it is so large that Postgres reads it in parallel', async (order, by) => {
    const owner = ownerCaller();
    const rows = 200_000;
    const { id: dataset } = await seedNumbers(system, owner, rows);
    const file = await exporting.readFile(owner, await completed(owner, { dataset, order, q: 'n > 7', select: 'n' }));
    const found = file.trim().split('\n').slice(1).map(Number);
    const numbers = Array.from({ length: rows - 7 }, (_, at) => ({ n: at + 8, by: by(at + 8) }));
    numbers.sort((one, other) => (one.by < other.by ? -1 : 1));
    expect(found).toEqual(numbers.map(({ n }) => n));
  });

  it.each(EXPORT_FORMATS)('can be downloaded as %s under the requested name', async (format) => {
    const owner = ownerCaller();
    const { id: dataset } = await seedHosts(system, owner);
    const id = await completed(owner, { dataset, format, fileName: 'a/b' });
    expect(await exporting.get(owner, id)).toMatchObject({ format, fileName: `a_b.${format}`, rows: 3 });
    const file = await exporting.readFile(owner, id);
    expect(file.length).toBeGreaterThan(30);
  });

  it('has system columns only if they are requested', async () => {
    const owner = ownerCaller();
    const { id: dataset } = await seedHosts(system, owner);
    const named = await completed(owner, { dataset, select: 'port,_row,_first_seen', q: 'port = 443' });
    expect(await exporting.readFile(owner, named)).toBe('port,_row,_first_seen\n443,1,2023-11-14T22:13:20Z\n');
    const all = await completed(owner, { dataset, select: '*' });
    expect(await exporting.readFile(owner, all)).toMatch(/^host,port,_row,_first_seen/);
  });

  it("of a view applies both conditions, and by default the view's columns and order", async () => {
    const owner = ownerCaller();
    const dataset = await seedHosts(system, owner);
    const view = await seedView(owner, dataset, { q: 'port > 0 or port < 0', select: 'host', order: '-host' });
    const whole = await completed(owner, { view });
    expect(await exporting.get(owner, whole)).toMatchObject({ queryId: view, viewName: 'Open ports' });
    expect(await exporting.readFile(owner, whole)).toBe('host\nb.example.org\na.example.org\n');
    const narrowed = await completed(owner, { view, q: 'host ~ "^a" or port is null', select: 'port' });
    expect(await exporting.readFile(owner, narrowed)).toBe('port\n-80\n');
  });
});

describe('an invalid request', () => {
  it.each([
    [{}, { 'body.view': 'exactly one of `view` and `dataset` must be set' }],
    [{ q: 'host =' }, { position: 6 }],
    [{ q: 'nothing = 1' }, { position: 0 }],
    [{ q: 'port = abc' }, { position: 7 }],
    [{ select: 'host,nothing' }, { position: 5 }],
    [{ order: '-nothing' }, {}],
    [{ q: 'host ~ "(a"' }, { 'body.q': expect.stringContaining('parentheses') }],
  ])('is refused immediately: %j', async (body, details) => {
    const owner = ownerCaller();
    const { id: dataset } = await seedHosts(system, owner);
    const request = Object.keys(body).length === 0 ? {} : { dataset, ...body };
    await expect(exporting.create(owner, request)).rejects.toEqual(refusal('validation_error', details));
    expect(await list(owner)).toEqual({ results: [], count: 0 });
  });

  it("names the view if the view's own query no longer fits its table", async () => {
    const owner = ownerCaller();
    const dataset = await seedHosts(system, owner);
    for (const query of [{ q: 'gone = 1' }, { select: 'gone' }, { order: 'gone' }]) {
      const view = await seedView(owner, dataset, query);
      const details = { 'body.view': expect.stringContaining('gone') as unknown };
      await expect(exporting.create(owner, { view })).rejects.toEqual(refusal('validation_error', details));
    }
  });

  it('is refused if the user or the vault has reached the limit of unfinished exports', async () => {
    const owner = ownerCaller();
    const { id: dataset, space, solution } = await seedHosts(system, owner);
    const add = (user: string, count: number) =>
      system.database.query(
        `INSERT INTO datasets.export (vault_id, space_id, dataset_id, solution_id, "user", q, "select", "order", format, file_name, status, created_at)
         SELECT $1, $2, $3, $4, $5, '', '', '', 'csv', 'x.csv',
           CASE n WHEN 1 THEN 'RUNNING' ELSE 'PENDING' END, now() + interval '1 hour' FROM generate_series(1, $6::int) n`,
        [owner.vault, space, dataset, solution, user, count],
      );
    await add(owner.user, 10);
    await expect(exporting.create(owner, { dataset })).rejects.toEqual(refusal('rate_limited'));
    const other = { ...owner, user: newId() };
    await completed(other, { dataset });
    await add(newId(), 10);
    await expect(exporting.create(other, { dataset })).rejects.toEqual(refusal('rate_limited'));
  });
});

describe('permissions of exports', () => {
  it('let a user who may query the table create and read an export', async () => {
    const owner = ownerCaller();
    const { id: dataset, space, solution } = await seedHosts(system, owner);
    const insights = memberCaller(owner, { [space]: 'insights' });
    const otherSpaceOwner = memberCaller(owner, { [newId()]: 'owner' });
    const otherVaultOwner = ownerCaller();
    const id = await completed(insights, { dataset });
    expect(await exporting.readFile(owner, id)).toBe(HOSTS);
    expect(await list(insights, { dataset, status: 'COMPLETED', search: 'HOSTS' })).toMatchObject({ count: 1 });
    expect(await list(owner, { status: 'FAILED' })).toMatchObject({ count: 0 });
    for (const other of [otherSpaceOwner, otherVaultOwner]) {
      await expect(exporting.create(other, { dataset })).rejects.toEqual(refusal('not_found'));
      await expect(exporting.get(other, id)).rejects.toEqual(refusal('not_found'));
      expect(await list(other)).toEqual({ results: [], count: 0 });
    }
    await system.database.query('UPDATE datasets.solution SET is_public = true WHERE id = $1', [solution]);
    expect(await exporting.readFile(otherSpaceOwner, id)).toBe(HOSTS);
    expect(await list(otherSpaceOwner)).toMatchObject({ count: 1 });
    await expect(exporting.get(otherVaultOwner, id)).rejects.toEqual(refusal('not_found'));
  });

  it('let the creator and users who may edit the space delete an export', async () => {
    const owner = ownerCaller();
    const { id: dataset, space } = await seedHosts(system, owner);
    const [insights, writer] = [
      memberCaller(owner, { [space]: 'insights' }),
      memberCaller(owner, { [space]: 'write' }),
    ];
    const [first, second] = [await completed(owner, { dataset }), await completed(insights, { dataset })];
    await expect(remove(insights, first)).rejects.toEqual(refusal('forbidden'));
    await remove(writer, first);
    await remove(insights, second);
    await expect(exporting.get(owner, first)).rejects.toEqual(refusal('not_found'));
    await expect(remove(owner, second)).rejects.toEqual(refusal('not_found'));
  });
});

describe('the file of an export', () => {
  it('cannot be downloaded before it is completed', async () => {
    const owner = ownerCaller();
    const { id: dataset } = await seedHosts(system, owner);
    const id = await completed(owner, { dataset });
    await system.database.query(`UPDATE datasets.export SET status = 'FAILED' WHERE id = $1`, [id]);
    const download = system.callAs(owner, downloadExport, { params: { id } });
    const details = { 'params.id': `must be a completed export (export ${id} is FAILED)` };
    await expect(download).rejects.toEqual(refusal('validation_error', details));
  });

  it('is deleted with the last of several exports that share it', async () => {
    const owner = ownerCaller();
    const { id: dataset } = await seedHosts(system, owner);
    const body = { dataset, q: `port = 443`, select: 'port, _row, _first_seen, host' };
    const [first, second] = [await completed(owner, body), await completed(owner, body)];
    const { sha256 } = await system.callAs(owner, downloadExport, { params: { id: first } });
    await remove(owner, first);
    expect(await exporting.store.has(sha256)).toBe(true);
    await remove(owner, second);
    expect(await exporting.store.has(sha256)).toBe(false);
  });
});
