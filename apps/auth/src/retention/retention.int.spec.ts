import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAuditLog } from '@millrace/contracts/auth/audit-log';
import {
  getSpaceRetention,
  getVaultRetention,
  setSpaceRetention,
  setVaultRetention,
  unsetSpaceRetention,
} from '@millrace/contracts/auth/retention';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { findSpaceOf, spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { newId } from '@millrace/persistence/ids';
import { memberCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

/** The vault of each space, as the workflows service knows it. */
const spaces = new Map<string, string>();

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
  const workflows = await system.fake('workflows');
  workflows.on(findSpaceOf, ({ body }) => {
    const { vault, space } = body as { vault: string; space: string };
    return { name: spaces.get(space) === vault ? 'Lab' : null };
  });
});
afterAll(() => system.close());

function newSpace({ vault }: Caller): string {
  const space = newId();
  spaces.set(space, vault);
  return space;
}

const setVault = (caller: Caller, days: number | null, runs: number | null) =>
  system.callAs(caller, setVaultRetention, { body: { days, runs } });
const setSpace = (caller: Caller, id: string, days: number | null, runs: number | null) =>
  system.callAs(caller, setSpaceRetention, { params: { id }, body: { days, runs } });
const getSpace = (caller: Caller, id: string) => system.callAs(caller, getSpaceRetention, { params: { id } });

const published = (scope: string) =>
  system.database.query<{ limits: unknown; number: number }>(
    `SELECT payload->'limits' AS limits, (payload->>'number')::int AS number FROM messaging.outbox
     WHERE name = 'auth.retention.changed' AND payload->>'scope' = $1 ORDER BY 2`,
    [scope],
  );

const auditOf = async (caller: Caller) =>
  (await system.callAs(caller, listAuditLog, { query: { action: 'retention.changed' } })).results;

describe('the retention of a vault', () => {
  it('has no limits until an owner sets some, which are published and audited with the former ones', async () => {
    const { caller, email } = await signUp(system);
    expect(await system.callAs(caller, getVaultRetention)).toEqual({ days: null, runs: null, source: 'default' });
    expect(await setVault(caller, 30, null)).toEqual({ days: 30, runs: null, source: 'vault' });
    await setVault(caller, 30, null);
    await setVault(caller, null, 100);
    expect(await system.callAs(caller, getVaultRetention)).toEqual({ days: null, runs: 100, source: 'vault' });
    expect((await published(caller.vault)).map(({ limits }) => limits)).toEqual([
      { days: 30, runs: null },
      { days: null, runs: 100 },
    ]);
    expect(await auditOf(caller)).toMatchObject([
      {
        ...{ actor: { id: caller.user, email }, target_type: 'vault', target_id: caller.vault },
        details: { before: { days: 30, runs: null }, after: { days: null, runs: 100 } },
      },
      { details: { before: null, after: { days: 30, runs: null } } },
    ]);
  });

  it.each([
    [{ days: 0, runs: null }, 'days'],
    [{ days: 3_651, runs: null }, 'days'],
    [{ days: 1.5, runs: null }, 'days'],
    [{ days: null, runs: 0 }, 'runs'],
    [{ days: null, runs: 100_001 }, 'runs'],
    [{ days: '7', runs: null }, 'days'],
    [{ days: 7 }, 'runs'],
  ])('refuses %j', async (body, field) => {
    const { caller } = await signUp(system);
    await expect(
      system.callAs(caller, setVaultRetention, { body: body as { days: number; runs: number } }),
    ).rejects.toMatchObject({ issues: [{ path: [field] }] });
    expect(await system.callAs(caller, getVaultRetention)).toMatchObject({ source: 'default' });
  });

  it('gets the largest limits', async () => {
    const { caller } = await signUp(system);
    expect(await setVault(caller, 3_650, 100_000)).toEqual({ days: 3_650, runs: 100_000, source: 'vault' });
  });
});

describe('the retention of a space', () => {
  it('is that of its vault until an owner of the space sets another, and again after it is removed', async () => {
    const { caller } = await signUp(system);
    const space = newSpace(caller);
    expect(await getSpace(caller, space)).toEqual({ days: null, runs: null, source: 'default' });
    await setVault(caller, 30, 50);
    expect(await getSpace(caller, space)).toEqual({ days: 30, runs: 50, source: 'vault' });
    expect(await setSpace(caller, space, null, null)).toEqual({ days: null, runs: null, source: 'space' });
    const unset = () => system.callAs(caller, unsetSpaceRetention, { params: { id: space } });
    expect(await unset()).toEqual({ days: 30, runs: 50, source: 'vault' });
    expect(await unset()).toEqual({ days: 30, runs: 50, source: 'vault' });
    expect(await published(space)).toMatchObject([{ limits: { days: null, runs: null } }, { limits: null }]);
    const [removed, set] = (await auditOf(caller)).filter(({ target_id }) => target_id === space);
    expect(set).toMatchObject({ target_type: 'space', target_name: 'Lab', details: { before: null } });
    expect(removed).toMatchObject({ details: { before: { days: null, runs: null }, after: null } });
  });

  it('can be seen by readers of the space, and set by its owners only', async () => {
    const { caller } = await signUp(system);
    const space = newSpace(caller);
    const reader = memberCaller(caller, { [space]: 'read' });
    await setVault(caller, 7, null);
    expect(await getSpace(reader, space)).toEqual({ days: 7, runs: null, source: 'vault' });
    await expect(setSpace(reader, space, 1, null)).rejects.toMatchObject({ code: 'forbidden' });
    const unset = system.callAs(reader, unsetSpaceRetention, { params: { id: space } });
    await expect(unset).rejects.toMatchObject({ code: 'forbidden' });
    const owner = memberCaller(caller, { [space]: 'owner' });
    expect(await setSpace(owner, space, 1, null)).toMatchObject({ days: 1, source: 'space' });
  });

  it('does not exist for a space of another vault, an unknown one, or a text that is no id', async () => {
    const [{ caller }, other] = [await signUp(system), await signUp(system)];
    for (const id of [newSpace(other.caller), newId(), 'none']) {
      await expect(getSpace(caller, id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(setSpace(caller, id, 1, 1)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('is deleted with the space, which gets no other afterwards', async () => {
    const { caller } = await signUp(system);
    const space = newSpace(caller);
    await setSpace(caller, space, 1, 1);
    const workflows = await system.sourceOf('workflows');
    await workflows.emit(spaceDeleted, { vault: caller.vault, user: caller.user, space, name: 'Lab' });
    await eventually(async () => expect(await published(space)).toHaveLength(2));
    expect((await published(space))[1]).toMatchObject({ limits: null });
    // The workflows service may still find the space, because its response can be older.
    await expect(setSpace(caller, space, 2, 2)).rejects.toMatchObject({ code: 'not_found' });
    expect(await getSpace(caller, space)).toMatchObject({ source: 'default' });
  });

  it('has the order of its changes in the numbers of their events', async () => {
    const { caller } = await signUp(system);
    const space = newSpace(caller);
    await Promise.all(Array.from({ length: 8 }, (_, at) => setSpace(caller, space, at + 1, null)));
    const last = (await published(space)).at(-1);
    const { days, runs } = await getSpace(caller, space);
    expect(last?.limits).toEqual({ days, runs });
  });
});
