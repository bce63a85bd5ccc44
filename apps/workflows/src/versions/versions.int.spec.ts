import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getVersion, listVersions, saveVersion } from '@millrace/contracts/workflows/versions';
import { deleteWorkflow, getWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf, edge, script } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const { id } = await seed.workflow();
  const save = (data: object, more: object = {}) => seed.version(id, data, more);
  const get = (versionId: string) => system.callAs(caller, getVersion, { params: { id, versionId } });
  const count = async () => (await system.callAs(caller, listVersions, { params: { id } })).count;
  return { caller, seed, id, save, get, count };
};

const conflict = { code: 'version_conflict' };

describe('a saved version', () => {
  it('has a number, and is found by its id and as the latest', async () => {
    const { caller, id, save, get } = await seeded();
    const first = await save(chainOf(1), { name: 'First', extra: 'ignored' });
    expect(first).toEqual({
      id: expect.any(String),
      workflow_info: id,
      number: 1,
      name: 'First',
      snapshot: false,
      author: caller.user,
      run_count: 0,
      created_date: expect.any(String),
      data: chainOf(1),
    });
    const second = await save(chainOf(2));
    expect(second).toMatchObject({ number: 2, data: chainOf(2) });
    expect(second).not.toHaveProperty('name');
    expect(await get('latest')).toEqual(second);
    expect(await get(first.id)).toEqual(first);
  });

  it('is returned unmodified, including unknown keys and their order', async () => {
    const { save, get } = await seeded();
    const data = {
      nodes: script('step-1', 'echo "\u2028 \\ ü 💡"'),
      connections: [],
      config: { z: 1, a: { y: [], b: null }, big: 9007199254740991, small: 1e-7, text: '' },
      zebra: { b: 1, a: 2 },
      apple: [[], {}, false],
    };
    const { id } = await save(data);
    expect(JSON.stringify((await get(id)).data)).toBe(JSON.stringify(data));
  });

  it('is listed without its data', async () => {
    const { caller, id, save } = await seeded();
    await save(chainOf(1), { name: 'Draft' });
    await save(chainOf(2), { name: 'Final' });
    const list = (query: object) => system.callAs(caller, listVersions, { params: { id }, query });
    const all = await list({});
    expect(all.results.map(({ number }) => number)).toEqual([2, 1]);
    for (const version of all.results) expect(version).not.toHaveProperty('data');
    expect(await list({ ordering: 'number', search: 'fin' })).toMatchObject({ count: 1, results: [{ number: 2 }] });
  });

  it('stays the latest if a save changes only the order of keys', async () => {
    const { save, count } = await seeded();
    const { nodes, connections } = chainOf(3);
    const first = await save({ nodes, connections, config: { a: 1, b: { c: 2, d: 3 } } }, { name: 'First' });
    const backwards = Object.fromEntries(Object.entries(nodes).reverse());
    const again = { config: { b: { d: 3, c: 2 }, a: 1 }, connections, nodes: backwards };
    expect(await save(again, { name: 'Second', expected_version_id: first.id })).toEqual(first);
    expect(await count()).toBe(1);
  });

  it('is published when it is saved as a snapshot, also if its data was saved before', async () => {
    const { save, count } = await seeded();
    const first = await save(chainOf(1));
    expect(await save(chainOf(1), { snapshot: true })).toEqual({ ...first, snapshot: true });
    expect(await save(chainOf(1), { snapshot: false })).toMatchObject({ snapshot: true });
    expect(await save(chainOf(2), { snapshot: true })).toMatchObject({ number: 2, snapshot: true });
    expect(await count()).toBe(2);
  });

  it('belongs to its workflow only', async () => {
    const { caller, seed, save } = await seeded();
    const other = await seed.workflow();
    const { id: versionId } = await save(chainOf(1));
    const get = (requested: string) =>
      system.callAs(caller, getVersion, { params: { id: other.id, versionId: requested } });
    for (const requested of [versionId, 'latest', 'x', randomUUID()]) {
      await expect(get(requested)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('can be saved by writers only', async () => {
    const { caller, id } = await seeded();
    const { space_info } = await system.callAs(caller, getWorkflow, { params: { id } });
    const reader = memberCaller(caller, { [space_info]: 'execute' });
    await expect(seedAs(system.callAs, reader).version(id)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a save that expects a version other than the latest', () => {
  it('is refused and saves nothing', async () => {
    const { caller, id, save, count } = await seeded();
    const first = await save(chainOf(1));
    const second = await save(chainOf(2), { expected_version_id: first.id });
    for (const expected of [first.id, randomUUID(), 'anything']) {
      const refused = save(chainOf(3), { expected_version_id: expected, name: 'Late' });
      await expect(refused).rejects.toMatchObject({ ...conflict, details: { latest_version_id: second.id } });
    }
    expect(await count()).toBe(2);
    const workflow = await system.callAs(caller, getWorkflow, { params: { id } });
    expect(workflow.latest_version_info).toBe(second.id);
  });

  it('reports whether the latest version has the same data', async () => {
    const { save } = await seeded();
    await save(chainOf(2));
    for (const [length, same] of [
      [2, true],
      [3, false],
    ] as const) {
      const refused = save(chainOf(length), { expected_version_id: randomUUID() });
      await expect(refused).rejects.toMatchObject({ ...conflict, details: { same_data: same } });
    }
  });

  it('is refused if there is no version yet', async () => {
    const { save, count } = await seeded();
    const refused = save(chainOf(1), { expected_version_id: randomUUID() });
    await expect(refused).rejects.toMatchObject({ ...conflict, details: { latest_version_id: null } });
    expect(await count()).toBe(0);
  });

  it('gets the nodes that both sides changed', async () => {
    const { save } = await seeded();
    const base = chainOf(3);
    const first = await save(base);
    const theirs = chainOf(3);
    Object.assign(theirs.nodes, script('step-2', 'theirs'), script('new-1', 'theirs'));
    await save(theirs);
    const mine = chainOf(3);
    Object.assign(mine.nodes, script('step-2', 'mine'), script('step-3', 'mine'), script('new-1', 'mine'));
    const refused = save(mine, { expected_version_id: first.id, previous_data: base });
    await expect(refused).rejects.toMatchObject({ ...conflict, details: { changed_nodes: ['new-1', 'step-2'] } });
  });
});

const numberedNodes = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`out-${at}`, value]));

describe('the response to a version conflict', () => {
  it('lists a thousand nodes and counts the rest', async () => {
    const { save } = await seeded();
    const first = await save({ ...chainOf(1), outputNodes: numberedNodes(1_500) });
    await save({ ...chainOf(1), outputNodes: numberedNodes(1_500, 2) });
    const mine = { ...chainOf(1), outputNodes: numberedNodes(1_500, 3) };
    const base = { ...chainOf(1), outputNodes: { ...numberedNodes(1_500), ['n'.repeat(100_000)]: 1 } };
    const named = Array.from({ length: 1_000 }, () => expect.stringMatching(/^out-/));
    await expect(save(mine, { expected_version_id: first.id, previous_data: base })).rejects.toMatchObject({
      ...conflict,
      details: { changed_nodes: named, more_changed_nodes: 501 },
    });
  });

  it('compares previous data up to the size of a version, and nothing larger', async () => {
    const { save, count } = await seeded();
    const tooLarge = [
      ['body.previous_data.nodes', { nodes: numberedNodes(5_001) }],
      ['body.previous_data.outputNodes', { outputNodes: numberedNodes(5_001) }],
      ['body.previous_data', { nodes: { a: 'x'.repeat(10 * 1024 * 1024) } }],
    ] as const;
    for (const [place, previous] of tooLarge) {
      const refused = save(chainOf(1), { expected_version_id: randomUUID(), previous_data: previous });
      await expect(refused).rejects.toMatchObject({
        code: 'validation_error',
        details: { [place]: expect.any(String) },
      });
    }
    expect(await count()).toBe(0);
  });
});

describe('concurrent saves', () => {
  it('that expect the same version succeed exactly once', async () => {
    const { save, count, get } = await seeded();
    const first = await save(chainOf(1));
    const saves = [2, 3, 4, 5, 6].map((length) => save(chainOf(length), { expected_version_id: first.id }));
    const outcomes = await Promise.allSettled(saves);
    const succeeded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(succeeded).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ ...conflict, details: { latest_version_id: succeeded[0]?.id } });
      }
    }
    expect(await count()).toBe(2);
    expect(await get('latest')).toEqual(succeeded[0]);
  });

  it('without an expected version are all stored, each with its own number', async () => {
    const { save, count } = await seeded();
    const versions = await Promise.all([1, 2, 3, 4, 5].map((length) => save(chainOf(length))));
    expect(versions.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(await count()).toBe(5);
  });

  it('of the same data create one version', async () => {
    const { save, count } = await seeded();
    const versions = await Promise.all([1, 2, 3, 4].map(() => save(chainOf(2))));
    expect(new Set(versions.map(({ id }) => id)).size).toBe(1);
    expect(await count()).toBe(1);
  });

  it('during the deletion of the workflow end with a version or with "not found"', async () => {
    const { caller, id, save } = await seeded();
    const [deleted, ...saved] = await Promise.allSettled([
      system.callAs(caller, deleteWorkflow, { params: { id } }),
      ...[1, 2, 3].map((length) => save(chainOf(length))),
    ]);
    expect(deleted).toMatchObject({ status: 'fulfilled' });
    for (const outcome of saved) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' });
    }
    expect(await system.database.query('SELECT 1 FROM workflows.version WHERE workflow_id = $1', [id])).toEqual([]);
  });

  it('under one idempotency key create one version', async () => {
    const { caller, id, count } = await seeded();
    const request = { params: { id }, body: { data: chainOf(1) } };
    const save = () => system.callAs(caller, saveVersion, request, { idempotencyKey: 'save-1' });
    const [one, two] = await Promise.all([save(), save()]);
    expect(one).toEqual(two);
    expect(await count()).toBe(1);
  });
});

describe('the size limit of a version', () => {
  it('accepts and returns 5,000 nodes and 10 MiB', async () => {
    const { save, get } = await seeded();
    const data = { ...chainOf(5_000), annotations: { note: 'x'.repeat(9 * 1024 * 1024) } };
    const { id } = await save(data);
    expect((await get(id)).data).toEqual(data);
  });

  it('excludes more than 10 MiB', async () => {
    const { save, count } = await seeded();
    const refused = save({ ...chainOf(1), annotations: { note: 'ü'.repeat(5.3 * 1024 * 1024) } });
    await expect(refused).rejects.toMatchObject({
      code: 'payload_too_large',
      details: { 'body.data': expect.anything() },
    });
    expect(await count()).toBe(0);
  });
});

describe('data that can never run', () => {
  const wired = (...connections: object[]) => ({ nodes: { ...script('a-1'), ...script('b-1') }, connections });
  const typed = (type: string, from: string) => ({
    nodes: { ...script('a-1'), 'b-1': { ...script('b-1')['b-1'], inputs: { x: { type } } } },
    connections: [edge(`a-1/${from}`, 'b-1/x/a-1')],
  });

  it.each([
    [
      'a cycle',
      wired(edge('a-1/file', 'b-1/file/a-1'), edge('b-1/file', 'a-1/file/b-1')),
      'cycle',
      'body.data.nodes.a-1',
    ],
    ['an unknown port', wired(edge('a-1/else', 'b-1/file/a-1')), 'unknown_port', 'body.data.nodes.a-1.else'],
    ['an edge to nowhere', wired(edge('a-1/file', 'c-1/file/a-1')), 'unknown_node', 'body.data.nodes.c-1'],
    ['an unknown input', wired(edge('a-1/file', 'b-1/else/a-1')), 'unknown_param', 'body.data.nodes.b-1.else'],
    ['an edge without ports', wired({ source: { id: 'a' }, destination: { id: 'b' } }), 'bad_edge', 'body.data'],
    ['a type that does not match', typed('BOOLEAN', 'file'), 'type_mismatch', 'body.data.nodes.b-1.x'],
    ['a node without a type', { nodes: { 'a-1': {} } }, 'malformed', 'body.data.nodes.a-1.type'],
    ['5,001 nodes', chainOf(5_001), 'too_many_nodes', 'body.data.nodes'],
    ['a NUL character', { nodes: script('a-1', 'echo \0') }, 'bad_text', 'body.data.nodes.a-1.script.source'],
    ['half of a surrogate pair', { config: { '\udc00': 1 } }, 'bad_text', 'body.data.config'],
    [
      'a name twice',
      { nodes: script('a-1'), primitiveNodes: { 'a-1': { type: 'STRING' } } },
      'duplicate_name',
      'body.data.primitiveNodes.a-1',
    ],
  ])('is refused and not saved: %s', async (_, data, code, place) => {
    const { save, count } = await seeded();
    await expect(save(data)).rejects.toMatchObject({
      code: 'validation_error',
      message: 'The workflow is not valid.',
      details: { [place]: expect.any(String), errors: [expect.objectContaining({ code })] },
    });
    expect(await count()).toBe(0);
  });

  it('is refused and not saved: 20,001 edges', async () => {
    const { save, count } = await seeded();
    const edges = Array.from({ length: 20_001 }, () => edge('a-1/file', 'b-1/file/a-1'));
    await expect(save(wired(...edges))).rejects.toMatchObject({
      details: { errors: [{ code: 'too_many_edges' }] },
    });
    expect(await count()).toBe(0);
  });
});

describe('a workflow draft', () => {
  it.each([
    ['without nodes', {}],
    ['with a tool that has no command', { nodes: { 'a-1': { type: 'TOOL', inputs: {} } } }],
    ['with a script that has no source', { nodes: script('a-1', '') }],
    [
      'with an input that has no value',
      { nodes: { 'a-1': { ...script('a-1')['a-1'], inputs: { x: { type: 'STRING' } } } } },
    ],
    ['with a splitter that has nothing to split', { nodes: { 's-1': { type: 'SPLITTER' } } }],
    ['with a module that wraps nothing yet', { nodes: { 'm-1': { type: 'WORKFLOW' } } }],
  ])('%s is saved', async (_, data) => {
    const { save } = await seeded();
    expect(await save(data)).toMatchObject({ number: 1, data });
  });
});
