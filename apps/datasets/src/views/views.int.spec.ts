import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteDataset } from '@millrace/contracts/datasets/datasets';
import { createView, deleteView, getView, listViews, queryView, updateView } from '@millrace/contracts/datasets/views';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { seedDataset } from '../testing/seed-dataset.js';

let system: SystemWithStore;
beforeAll(async () => {
  system = await startWithStore([start]);
});
afterAll(() => system.close());

/** A table with the hosts a (443), b (80), c (443) and d, and functions that save and query views of it. */
const seed = async () => {
  const owner = ownerCaller();
  const table = await seedDataset(system.database, owner, {
    columns: [
      ['host', 'text'],
      ['port', 'bigint'],
    ],
  });
  await system.database.query(
    `INSERT INTO live.d_${table.number} (_s, _f, c1, c2) VALUES (0, 1, 'a', 443), (0, 1, 'b', 80), (0, 1, 'c', 443), (0, 1, 'd', NULL)`,
  );
  const { solution: solutionId } = table;
  const create = (body: object = {}, caller: Caller = owner, params = { solutionId }) =>
    system.callAs(caller, createView, { params, body: { name: 'Seen', dataset: table.id, ...body } });
  const of = (viewId: string) => ({ solutionId, viewId });
  const get = (id: string, caller: Caller = owner) => system.callAs(caller, getView, { params: of(id) });
  const update = (id: string, body: object, caller: Caller = owner) =>
    system.callAs(caller, updateView, { params: of(id), body });
  const remove = (id: string, caller: Caller = owner) => system.callAs(caller, deleteView, { params: of(id) });
  const list = async (query: object = {}, caller: Caller = owner) => {
    const { results, count } = await system.callAs(caller, listViews, { params: { solutionId }, query });
    expect(count).toBe(results.length);
    return results.map(({ name }) => name);
  };
  const queryRows = (id: string, query: object = {}, caller: Caller = owner) =>
    system.callAs(caller, queryView, { params: of(id), query });
  const hosts = async (id: string, query: object = {}) =>
    (await queryRows(id, query)).results.map((row) => (row as { host: string }).host);
  const rename = (from: string, to: string) =>
    system.database.query(
      `WITH renamed AS (UPDATE datasets.dataset_column SET name = $3 WHERE dataset_id = $1 AND name = $2)
       UPDATE datasets.dataset SET revision = revision + 1 WHERE id = $1`,
      [table.id, from, to],
    );
  return { owner, table, create, get, update, remove, list, queryRows, hosts, rename };
};

describe('a view', () => {
  it('has its query, and no fields that were not set', async () => {
    const { owner, table, create, get } = await seed();
    const plain = await create();
    const expected = { name: 'Seen', dataset: table.id, solution: table.solution, author: owner.user };
    const dates = { created_date: expect.any(String), modified_date: expect.any(String) };
    expect(plain).toEqual({ id: plain.id, ...expected, ...dates });
    const fields = { description: 'Web', q: 'port = 443', select: 'host', order: '-host' };
    const full = await create(fields);
    expect(full).toMatchObject(fields);
    expect(await get(full.id)).toEqual(full);
  });

  it.each([
    ['q', 'port = 443 AND prot = 6', 15],
    ['q', 'port = abc', 7],
    ['q', 'port = ', 7],
    ['select', 'host,hosst', 5],
    ['order', '-hots', 1],
  ])('with a wrong %s (%s) is refused with the position', async (part, text, position) => {
    const { create, update, list, get } = await seed();
    const wrong = { code: 'validation_error', details: { [`body.${part}`]: expect.any(String), position } };
    await expect(create({ [part]: text })).rejects.toMatchObject(wrong);
    expect(await list()).toEqual([]);
    const view = await create({ q: 'port = 80' });
    await expect(update(view.id, { [part]: text })).rejects.toMatchObject(wrong);
    expect(await get(view.id)).toEqual(view);
  });

  it('must be of a table of its solution', async () => {
    const { create, update } = await seed();
    const { table } = await seed();
    const wrong = { code: 'validation_error', details: { 'body.dataset': expect.any(String) } };
    const { id } = await create();
    for (const dataset of [table.id, newId(), "x'"]) {
      await expect(create({ dataset })).rejects.toMatchObject(wrong);
      await expect(update(id, { dataset })).rejects.toMatchObject(wrong);
    }
  });

  it('can be listed by table and by search text', async () => {
    const { table, create, list } = await seed();
    await create({ name: 'Alpha', description: '50% off' });
    await create({ name: 'Beta' });
    expect(await list({ ordering: 'name' })).toEqual(['Alpha', 'Beta']);
    expect(await list({ search: '50%' })).toEqual(['Alpha']);
    expect((await list({ dataset: table.id })).sort()).toEqual(['Alpha', 'Beta']);
    expect(await list({ dataset: newId() })).toEqual([]);
    expect(await list({ dataset: "x'" })).toEqual([]);
  });

  it('is deleted with its table', async () => {
    const { owner, table, create, get } = await seed();
    const { id } = await create();
    await system.callAs(owner, deleteDataset, { params: { id: table.id } });
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('can be changed by editors, queried by readers, and is hidden from others', async () => {
    const { owner, table, create, get, update, remove, queryRows } = await seed();
    const reader = memberCaller(owner, { [table.space]: 'insights' });
    const { id } = await create();
    expect((await get(id, reader)).id).toBe(id);
    expect((await queryRows(id, {}, reader)).count).toBe(4);
    for (const refused of [create({}, reader), update(id, { name: 'x' }, reader), remove(id, reader)]) {
      await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
    }
    for (const outsider of [memberCaller(owner, {}), ownerCaller()]) {
      for (const refused of [
        get(id, outsider),
        queryRows(id, {}, outsider),
        remove(id, outsider),
        create({}, outsider),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: 'not_found' });
      }
    }
    const { create: createThere, owner: other, table: otherTable } = await seed();
    const foreign = await createThere();
    await expect(get(foreign.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      system.callAs(other, getView, { params: { solutionId: otherTable.solution, viewId: id } }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await remove(id, memberCaller(owner, { [table.space]: 'write' }));
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('rows of a view', () => {
  it('match its condition and have its order and columns', async () => {
    const { create, queryRows } = await seed();
    const { id } = await create({ q: 'port = 443', select: 'host', order: '-host' });
    expect(await queryRows(id)).toEqual({
      results: [{ host: 'c' }, { host: 'a' }],
      columns: [{ name: 'host', type: 'text' }],
      count: 2,
      cursor: null,
    });
  });

  it('are narrowed by a condition that cannot escape the one of the view', async () => {
    const { create, hosts, queryRows } = await seed();
    const { id } = await create({ q: 'port = 443 OR host = d' });
    expect(await hosts(id, { q: 'host = a OR host = b' })).toEqual(['a']);
    expect(await hosts(id, { q: 'port = null' })).toEqual(['d']);
    for (const q of ['host = a) OR (host = b', 'host = a) OR host = b OR (host = c', ')']) {
      await expect(queryRows(id, { q })).rejects.toMatchObject({ details: { 'query.q': expect.any(String) } });
    }
    await expect(queryRows(id, { q: 'hots = a' })).rejects.toMatchObject({
      details: { 'query.q': expect.any(String), position: 0 },
    });
  });

  it('are refused without a position if both conditions together are too complex', async () => {
    const { create, queryRows } = await seed();
    const many = Array.from({ length: 150 }, (_, port) => `port = ${port}`).join(' OR ');
    const { id } = await create({ q: many });
    const refused = (await queryRows(id, { q: many }).catch((error: unknown) => error)) as { details: object };
    expect(refused.details).toEqual({ 'query.q': expect.stringContaining("with the view's own") });
  });

  it('have the columns and order that the query requests, on every page', async () => {
    const { create, queryRows } = await seed();
    const { id } = await create({ q: 'port = 443', select: 'host', order: '-host' });
    const query = { select: 'port,host', order: 'host', page_size: 1 };
    const first = await queryRows(id, query);
    expect(first.results).toEqual([{ port: 443, host: 'a' }]);
    const second = await queryRows(id, { ...query, cursor: first.cursor ?? '' });
    expect(second).toMatchObject({ results: [{ port: 443, host: 'c' }], cursor: null });
    await expect(queryRows(id, { cursor: first.cursor ?? '' })).rejects.toMatchObject({
      details: { 'query.cursor': expect.any(String) },
    });
  });

  it('are refused while the view names a renamed column, and the view itself stays readable', async () => {
    const { create, get, update, queryRows, hosts, rename } = await seed();
    const view = await create({ q: 'port = 443', order: '-port' });
    await rename('port', 'number');
    expect(await get(view.id)).toEqual(view);
    await expect(queryRows(view.id)).rejects.toMatchObject({ details: { 'view.q': expect.stringContaining('port') } });
    expect(await update(view.id, { name: 'Still' })).toMatchObject({ name: 'Still', q: 'port = 443' });
    await update(view.id, { q: 'number = 443', order: '' });
    expect(await hosts(view.id)).toEqual(['a', 'c']);
  });
});
