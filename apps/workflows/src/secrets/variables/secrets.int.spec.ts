import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import {
  createSecretVariable,
  deleteSecretVariable,
  listSecretVariables,
  updateSecretVariable,
} from '@millrace/contracts/workflows/secrets';
import { deleteSpace } from '@millrace/contracts/workflows/spaces';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { revealAs } from '../../testing/reveal-as.js';
import { seedAs } from '../../testing/seed.js';

let system: System;
let revealing: ReturnType<typeof revealAs>;
beforeAll(async () => {
  system = await startApps([start]);
  revealing = revealAs(await system.fake('runs'));
});
afterAll(() => system.close());

type Scope = 'vault' | 'space' | 'user';

const set = (caller: Caller, name: string, value: string, scope_type: Scope = 'vault', space?: string) =>
  system.callAs(caller, createSecretVariable, {
    body: { name, value, scope_type, ...(space !== undefined && { space }) },
  });
const list = async (caller: Caller, query: { scope_type?: Scope; space?: string } = {}) =>
  (await system.callAs(caller, listSecretVariables, { query })).results.map(({ name }) => name);

const reveal: typeof revealing.reveal = (...args) => revealing.reveal(...args);

async function seeded() {
  const owner = ownerCaller();
  const space = (await seedAs(system.callAs, owner).space()).id;
  return { owner, space, member: (role: 'read' | 'write' | 'owner') => memberCaller(owner, { [space]: role }) };
}

describe('a secret variable', () => {
  it('is shown without its value', async () => {
    const { owner, space } = await seeded();
    const made = await set(owner, 'TOKEN', 'hunter22', 'space', space);
    expect(made).toEqual({
      ...{ id: expect.any(String), name: 'TOKEN', scope_type: 'space', space },
      ...{ created_date: expect.any(String), modified_date: expect.any(String) },
    });
    expect(await system.callAs(owner, listSecretVariables, {})).toEqual({ success: true, results: [made] });
  });

  it('can get another value and name', async () => {
    const { owner, space } = await seeded();
    const { id } = await set(owner, 'OLD', 'before');
    const changed = await system.callAs(owner, updateSecretVariable, {
      params: { id },
      body: { value: 'after', name: 'NEW' },
    });
    expect(changed).toMatchObject({ id, name: 'NEW', scope_type: 'vault' });
    await system.callAs(owner, updateSecretVariable, { params: { id }, body: { value: 'later' } });
    expect(await reveal(owner, space, 'OLD', 'NEW')).toEqual({ values: { NEW: 'later' }, missing: ['OLD'] });
  });

  it('no longer exists after it or its space is deleted', async () => {
    const { owner, space } = await seeded();
    const { id } = await set(owner, 'A', 'a');
    await set(owner, 'B', 'b', 'space', space);
    expect(await system.callAs(owner, deleteSecretVariable, { params: { id } })).toBeNull();
    await expect(system.callAs(owner, deleteSecretVariable, { params: { id } })).rejects.toMatchObject({
      code: 'not_found',
    });
    await system.callAs(owner, deleteSpace, { params: { id: space } });
    expect(await list(owner)).toEqual([]);
  });

  it('is refused if its name is reserved or used, or its scope does not fit', async () => {
    const { owner, space } = await seeded();
    const refused = (field: string) => ({
      code: 'validation_error',
      details: { [`body.${field}`]: expect.any(String) },
    });
    await set(owner, 'TAKEN', 'a');
    await set(owner, 'TAKEN', 'a', 'space', space);
    await set(owner, 'TAKEN', 'a', 'user');
    await expect(set(owner, 'TAKEN', 'b')).rejects.toMatchObject(refused('name'));
    await expect(set(owner, 'TAKEN', 'b', 'space', space)).rejects.toMatchObject(refused('name'));
    await expect(set(owner, 'TAKEN', 'b', 'user')).rejects.toMatchObject(refused('name'));
    for (const name of ['VAULT_NAME', 'USER_ID', 'RUN_ID'])
      await expect(set(owner, name, 'b')).rejects.toMatchObject(refused('name'));
    const { id } = await set(owner, 'OTHER', 'a');
    const rename = (name: string) =>
      system.callAs(owner, updateSecretVariable, { params: { id }, body: { value: 'b', name } });
    await expect(rename('TAKEN')).rejects.toMatchObject(refused('name'));
    await expect(rename('RUN_ID')).rejects.toMatchObject(refused('name'));
    await expect(set(owner, 'X', 'b', 'space')).rejects.toMatchObject(refused('space'));
    await expect(set(owner, 'X', 'b', 'vault', space)).rejects.toMatchObject(refused('space'));
  });

  it('created twice at the same moment is created once', async () => {
    const { owner, space } = await seeded();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => set(owner, 'RACE', `value ${at}`)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const at = tries.findIndex(({ status }) => status === 'fulfilled');
    expect((await reveal(owner, space, 'RACE')).values).toEqual({ RACE: `value ${at}` });
  });

  it('stays readable if it is renamed and changed at the same moment', async () => {
    const { owner, space } = await seeded();
    const { id } = await set(owner, 'N0', 'start');
    const change = (body: { value: string; name?: string }) =>
      system.callAs(owner, updateSecretVariable, { params: { id }, body });
    await Promise.all(
      [1, 2, 3, 4].flatMap((at) => [change({ value: `a${at}`, name: `N${at}` }), change({ value: `b${at}` })]),
    );
    const [name = ''] = await list(owner);
    expect((await reveal(owner, space, name)).values[name]).toMatch(/^[ab]\d$/);
  });
});

describe('the permission to', () => {
  it('set a variable belongs to owners of the vault, owners of the space, and users for themselves', async () => {
    const { owner, space, member } = await seeded();
    const forbidden = { code: 'forbidden' };
    await set(member('owner'), 'SPACE', 'v', 'space', space);
    await expect(set(member('write'), 'SPACE_2', 'v', 'space', space)).rejects.toMatchObject(forbidden);
    await expect(set(member('owner'), 'VAULT', 'v')).rejects.toMatchObject(forbidden);
    await set(member('read'), 'OWN', 'v', 'user');
    const { id } = await set(owner, 'VAULT', 'v');
    const body = { value: 'x' };
    await expect(system.callAs(member('owner'), updateSecretVariable, { params: { id }, body })).rejects.toMatchObject(
      forbidden,
    );
    await expect(system.callAs(member('owner'), deleteSecretVariable, { params: { id } })).rejects.toMatchObject(
      forbidden,
    );
  });

  it('see its name belongs to the vault, editors of the space, and the user', async () => {
    const { owner, space, member } = await seeded();
    const [editor, reader] = [member('write'), member('read')];
    await set(owner, 'VAULT', 'v');
    await set(owner, 'SPACE', 'v', 'space', space);
    await set(owner, 'OWNERS', 'v', 'user');
    await set(editor, 'EDITORS', 'v', 'user');
    expect(await list(owner)).toEqual(['OWNERS', 'SPACE', 'VAULT']);
    expect(await list(editor)).toEqual(['EDITORS', 'SPACE', 'VAULT']);
    expect(await list(reader)).toEqual(['VAULT']);
    expect(await list(editor, { scope_type: 'user' })).toEqual(['EDITORS']);
    expect(await list(editor, { space })).toEqual(['SPACE']);
    expect(await list(owner, { scope_type: 'space' })).toEqual(['SPACE']);
    expect(await list(owner, { scope_type: 'vault', space })).toEqual([]);
  });

  it('see that it exists is denied to other vaults, users without a role in the space, and other users', async () => {
    const { owner, space, member } = await seeded();
    const notFound = { code: 'not_found' };
    const ofSpace = await set(owner, 'SPACE', 'v', 'space', space);
    const ofEditor = await set(member('write'), 'EDITORS', 'v', 'user');
    for (const [caller, { id }] of [
      [ownerCaller(), ofSpace],
      [memberCaller(owner, {}), ofSpace],
      [owner, ofEditor],
    ] as const) {
      const params = { id };
      await expect(system.callAs(caller, updateSecretVariable, { params, body: { value: 'x' } })).rejects.toMatchObject(
        notFound,
      );
      await expect(system.callAs(caller, deleteSecretVariable, { params })).rejects.toMatchObject(notFound);
    }
    for (const caller of [ownerCaller(), memberCaller(owner, {})]) {
      await expect(set(caller, 'X', 'v', 'space', space)).rejects.toMatchObject(notFound);
      await expect(list(caller, { space })).rejects.toMatchObject(notFound);
    }
    await expect(list(owner, { space: 'none' })).rejects.toMatchObject(notFound);
    await expect(system.callAs(owner, deleteSecretVariable, { params: { id: randomUUID() } })).rejects.toMatchObject(
      notFound,
    );
  });
});

describe('revealed values', () => {
  it('come from the space before the vault before the user, and from no other scope', async () => {
    const { owner, space, member } = await seeded();
    const other = (await seedAs(system.callAs, owner).space()).id;
    for (const name of ['A', 'B']) await set(owner, name, 'of the vault');
    for (const name of ['B', 'C']) await set(owner, name, 'of the space', 'space', space);
    await set(owner, 'B', 'of the other space', 'space', other);
    for (const name of ['A', 'B', 'C', 'E']) await set(owner, name, 'of the user', 'user');
    await set(ownerCaller(), 'D', 'of another vault');
    const names = ['A', 'B', 'C', 'D', 'E'];
    expect(await reveal(owner, space, ...names)).toEqual({
      values: { A: 'of the vault', B: 'of the space', C: 'of the space', E: 'of the user' },
      missing: ['D'],
    });
    expect((await reveal(member('read'), space, ...names)).missing).toEqual(['D', 'E']);
    expect((await reveal(owner, other, ...names)).values['B']).toBe('of the other space');
  });

  it('of a module come from its own space and the vault, and from the user only in the space of the run', async () => {
    const { owner, space } = await seeded();
    const other = (await seedAs(system.callAs, owner).space()).id;
    await set(owner, 'A', 'of the vault');
    await set(owner, 'B', 'of the run’s space', 'space', space);
    await set(owner, 'B', 'of the module’s space', 'space', other);
    await set(owner, 'C', 'of the run’s space alone', 'space', space);
    await set(owner, 'D', 'of the user', 'user');
    const names = ['A', 'B', 'C', 'D'];
    const scopes = [
      { space: other, names },
      { space, names: ['D'] },
    ];
    expect(await revealing.revealScopes(newId(), owner, space, ['B'], scopes)).toEqual({
      values: {
        B: 'of the run’s space',
        [`${other}/A`]: 'of the vault',
        [`${other}/B`]: 'of the module’s space',
        [`${space}/D`]: 'of the user',
      },
      missing: [`${other}/C`, `${other}/D`],
    });
  });

  it('stay the same for a run until it ends', async () => {
    const { owner, space } = await seeded();
    const run = newId();
    const again = (names = ['A', 'B', 'C', 'D']) => revealing.revealTo(run, owner, space, ...names);
    const [a, b, c] = [await set(owner, 'A', 'one'), await set(owner, 'B', 'two'), await set(owner, 'C', 'three')];
    const first = await again();
    expect(first).toEqual({ values: { A: 'one', B: 'two', C: 'three' }, missing: ['D'] });
    await system.callAs(owner, updateSecretVariable, { params: { id: a.id }, body: { value: 'other' } });
    await system.callAs(owner, updateSecretVariable, { params: { id: b.id }, body: { value: 'two', name: 'D' } });
    await system.callAs(owner, deleteSecretVariable, { params: { id: c.id } });
    expect(await again()).toEqual(first);
    expect(await reveal(owner, space, 'A', 'B', 'C', 'D')).toEqual({
      values: { A: 'other', D: 'two' },
      missing: ['B', 'C'],
    });
    await expect(revealing.revealTo(run, ownerCaller(), space, 'A')).rejects.toMatchObject({ code: 'internal_error' });
    await system.database.query('UPDATE workflows.run_variables SET run = $1 WHERE run = $2', [`${run}-moved`, run]);
    await expect(revealing.revealTo(`${run}-moved`, owner, space, 'A')).rejects.toMatchObject({
      code: 'internal_error',
    });
  });

  it('of several concurrent first requests are the same', async () => {
    const { owner, space } = await seeded();
    const { id } = await set(owner, 'A', 'start');
    const run = newId();
    const change = (value: string) => system.callAs(owner, updateSecretVariable, { params: { id }, body: { value } });
    const revealOnce = () => revealing.revealTo(run, owner, space, 'A');
    const [, , ...all] = await Promise.all([change('x'), change('y'), ...Array.from({ length: 8 }, revealOnce)]);
    expect(new Set(all.map(({ values }) => values['A'])).size).toBe(1);
  });

  it('may have the names of object properties, except one', async () => {
    const { owner, space } = await seeded();
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) await set(owner, name, `value of ${name}`);
    const { values, missing } = await reveal(owner, space, 'constructor', 'valueOf');
    expect([values, missing]).toEqual([{ constructor: 'value of constructor' }, ['valueOf']]);
    await expect(set(owner, '__proto__', 'x')).rejects.toThrow('must not be `__proto__`');
  });

  it('cannot be decrypted in another row or under another name', async () => {
    const { owner, space } = await seeded();
    const [high, low] = [await set(owner, 'HIGH', 'high'), await set(owner, 'LOW', 'low', 'space', space)];
    const swap =
      'UPDATE workflows.secret_variable SET value = (SELECT value FROM workflows.secret_variable WHERE id = $1) WHERE id = $2';
    await system.database.query(swap, [high.id, low.id]);
    const message = 'The value of secret variable LOW cannot be decrypted. Set it again.';
    await expect(reveal(owner, space, 'LOW')).rejects.toMatchObject({ code: 'validation_error', message });
    await system.database.query("UPDATE workflows.secret_variable SET name = 'MOVED' WHERE id = $1", [high.id]);
    await expect(reveal(owner, space, 'MOVED')).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('are refused if there are more than masking can search for', async () => {
    const { owner, space } = await seeded();
    await expect(set(owner, 'LARGE', '界'.repeat(10_923))).rejects.toThrow('32768 bytes');
    const names = ['LARGE_0', 'LARGE_1', 'LARGE_2'];
    for (const name of names) await set(owner, name, 'x'.repeat(32_768));
    await expect(reveal(owner, space, ...names)).rejects.toMatchObject({ code: 'validation_error' });
    expect(Object.keys((await reveal(owner, space, ...names.slice(1))).values)).toHaveLength(2);
  });

  it('are limited to a thousand in a scope', async () => {
    const { owner, space } = await seeded();
    await set(owner, 'A', 'a');
    await system.database.query(
      `INSERT INTO workflows.secret_variable (id, vault_id, scope_type, name, value, author, modified_at)
       SELECT gen_random_uuid(), $1, 'vault', 'N' || n, '', $2, now() FROM generate_series(1, 999) n`,
      [owner.vault, owner.user],
    );
    const details = { 'body.scope_type': expect.stringContaining('1000') };
    await expect(set(owner, 'B', 'b')).rejects.toMatchObject({ code: 'validation_error', details });
    await set(owner, 'B', 'b', 'space', space);
    const names = Array.from({ length: 201 }, (_, at) => `N${at + 1}`);
    await expect(reveal(owner, space, ...names)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('are stored encrypted', async () => {
    const { owner } = await seeded();
    await set(owner, 'CLEAR', 'nowhere-in-clear');
    await reveal(owner, newId(), 'CLEAR');
    const rows = await system.database.query<{ text: string }>(
      "SELECT row_to_json(v)::text || encode(v.value, 'escape') AS text FROM workflows.secret_variable v UNION ALL SELECT payload::text FROM messaging.outbox UNION ALL SELECT encode(r.values, 'escape') FROM workflows.run_variables r",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes('nowhere-in-clear'))).toEqual([]);
  });
});

describe('the digests of secret variables', () => {
  it('are equal for equal values of a vault, and reveal nothing of them', async () => {
    const { owner, space } = await seeded();
    await set(owner, 'ONE', 'hunter22');
    await set(owner, 'SAME', 'hunter22');
    await set(owner, 'OTHER', 'hunter23');
    const { salt, values } = await revealing.digests(owner, space, 'ONE', 'SAME', 'OTHER', 'MISSING');
    expect(Object.keys(values).sort()).toEqual(['ONE', 'OTHER', 'SAME']);
    expect(values.SAME).toBe(values.ONE);
    expect(new Set([values.ONE, values.OTHER, salt, createHash('sha256').update('hunter22').digest('hex')]).size).toBe(
      4,
    );
    expect(await revealing.digests(owner, space, 'ONE')).toEqual({ salt, values: { ONE: values.ONE } });
  });

  it('differ for the same value in another vault', async () => {
    const [here, there] = [await seeded(), await seeded()];
    for (const { owner } of [here, there]) await set(owner, 'TOKEN', 'hunter22');
    const digests = await Promise.all(
      [here, there].map(({ owner, space }) => revealing.digests(owner, space, 'TOKEN')),
    );
    expect(digests[0]!.values.TOKEN).not.toBe(digests[1]!.values.TOKEN);
    expect(digests[0]!.salt).not.toBe(digests[1]!.salt);
  });
});
