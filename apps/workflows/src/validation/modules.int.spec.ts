import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf, moduleNode, script } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const wrap = (...keys: string[]) => ({
    nodes: Object.assign({}, ...keys.map((key, index) => moduleNode(`m-${index + 1}`, key))) as object,
  });
  const check = (id: string, body: object = {}) => system.callAs(caller, validateWorkflow, { params: { id }, body });
  return { caller, seed, wrap, check };
};

const refusedFor = (code: string) => ({
  code: 'validation_error',
  details: { errors: expect.arrayContaining([expect.objectContaining({ code })]) },
});

describe('a module node', () => {
  it('wraps a workflow or one of its versions by id', async () => {
    const { seed, wrap, check } = seeded();
    const inner = await seed.saved();
    const outer = await seed.saved(wrap(inner.id, inner.version.id, inner.id.toUpperCase()));
    expect((await check(outer.id)).errors).toEqual([]);
  });

  it.each([
    ['nothing that exists', randomUUID()],
    ['a text that is not an id', 'sort'],
  ])('is refused if it wraps %s', async (_, key) => {
    const { seed, wrap } = seeded();
    await expect(seed.saved(wrap(key))).rejects.toMatchObject({
      ...refusedFor('unknown_module'),
      details: { 'body.data.nodes.m-1': expect.any(String) },
    });
  });

  it('cannot wrap a workflow without versions or one of another vault', async () => {
    const { seed, wrap } = seeded();
    const empty = await seed.workflow();
    const foreign = await seedAs(system.callAs, ownerCaller()).saved();
    for (const key of [empty.id, foreign.id, foreign.version.id]) {
      await expect(seed.saved(wrap(key))).rejects.toMatchObject(refusedFor('unknown_module'));
    }
  });

  it('wraps a workflow that its author may read, or that the latest version wraps', async () => {
    const { caller, seed, wrap } = seeded();
    const [open, secret] = [await seed.space(), await seed.space()];
    const hidden = await seed.saved(chainOf(1), secret.id);
    const member = seedAs(system.callAs, memberCaller(caller, { [open.id]: 'write', [secret.id]: 'insights' }));
    const mine = await seed.saved(chainOf(2), open.id);
    await expect(member.version(mine.id, wrap(hidden.version.id))).rejects.toMatchObject(refusedFor('unknown_module'));
    await seed.version(mine.id, wrap(hidden.version.id));
    const more = { ...wrap(hidden.version.id), config: { changed: true } };
    expect(await member.version(mine.id, more)).toMatchObject({ number: 3 });
  });

  it('may wrap an unfinished draft', async () => {
    const { seed, wrap, check } = seeded();
    const inner = await seed.saved({ nodes: script('step-1', '') });
    const outer = await seed.saved(wrap(inner.id));
    expect((await check(outer.id)).errors).toMatchObject([{ code: 'invalid_module', node: 'm-1' }]);
    await seed.version(inner.id, chainOf(1));
    expect((await check(outer.id)).errors).toEqual([]);
  });

  it('cannot wrap its own workflow, directly or through others', async () => {
    const { seed, wrap } = seeded();
    const outer = await seed.saved();
    await expect(seed.version(outer.id, wrap(outer.id))).rejects.toMatchObject(refusedFor('module_recursion'));
    const between = await seed.saved(wrap(outer.id));
    await expect(seed.version(outer.id, wrap(between.id))).rejects.toMatchObject(refusedFor('module_recursion'));
    await expect(seed.version(outer.id, wrap(between.version.id))).rejects.toMatchObject(
      refusedFor('module_recursion'),
    );
  });

  it('can be nested eight levels deep and no deeper', async () => {
    const { seed, wrap, check } = seeded();
    let inner = await seed.saved();
    for (let depth = 1; depth <= 8; depth++) inner = await seed.saved(wrap(inner.id));
    expect((await check(inner.id)).errors).toEqual([]);
    await expect(seed.saved(wrap(inner.id))).rejects.toMatchObject(refusedFor('nesting_too_deep'));
  });

  it('can be one of at most 100 modules', async () => {
    const { seed, wrap } = seeded();
    const keys = await Promise.all(Array.from({ length: 101 }, async () => (await seed.saved()).id));
    await expect(seed.saved(wrap(...keys))).rejects.toMatchObject(refusedFor('too_large'));
    expect((await seed.saved(wrap(...keys.slice(1)))).version).toMatchObject({ number: 1 });
  });
});

describe('validation of a workflow', () => {
  it('accepts the latest version, another one, or unsaved data', async () => {
    const { seed, check } = seeded();
    const { id } = await seed.workflow();
    expect(await check(id)).toEqual({ errors: [], warnings: [expect.objectContaining({ code: 'empty_workflow' })] });
    const first = await seed.version(id, { nodes: script('step-1', '') });
    await seed.version(id, chainOf(2));
    expect(await check(id)).toEqual({ errors: [], warnings: [] });
    const draft = await check(id, { version_id: first.id });
    expect(draft.errors).toMatchObject([{ code: 'script_without_source', node: 'step-1', hint: expect.any(String) }]);
    const unsaved = await check(id, { data: { nodes: { 'step-1': { type: 'NONE' } } } });
    expect(unsaved.errors).toMatchObject([{ code: 'malformed', node: 'step-1' }]);
    expect((await check(id, { data: null })).errors).toMatchObject([{ code: 'malformed' }]);
  });

  it('accepts any invalid data', async () => {
    const { seed, check } = seeded();
    const { id } = await seed.workflow();
    for (const data of [[], 'text', 1, true, { nodes: null }, { nodes: [] }, { connections: {} }]) {
      expect(await check(id, { data })).toEqual({ errors: expect.any(Array), warnings: expect.any(Array) });
    }
  });

  it('refuses a version together with data', async () => {
    const { seed, check } = seeded();
    const { id, version } = await seed.saved();
    await expect(check(id, { version_id: version.id, data: {} })).rejects.toMatchObject({ code: 'validation_error' });
    await expect(check(id, { version_id: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
