import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { removeMember } from '@millrace/contracts/auth/members';
import { newId } from '@millrace/persistence/ids';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from '../start.js';

let system: System;
let workflows: FakeService;
beforeAll(async () => {
  system = await startApps([start]);
  workflows = await system.fake('workflows');
});
afterAll(() => system.close());

const standIn = async (user: string, vault: string) =>
  (await workflows.call(resolveAbsentCaller, { user, vault })).caller;

it('an absent user is resolved with their current roles while they are in the vault', async () => {
  const { owner, join } = await vaultOfPeople(system, system.openMailbox());
  const { vault } = owner.caller;
  expect(await standIn(owner.id, vault)).toEqual({ user: owner.id, vault, vaultRole: 'owner', spaces: 'all' });
  const member = await join();
  expect(await standIn(member.id, vault)).toEqual({ user: member.id, vault, vaultRole: 'member', spaces: {} });
  expect(await standIn(member.id, newId())).toBeNull();
  expect(await standIn(newId(), vault)).toBeNull();
  await system.callAs(owner.caller, removeMember, { params: { id: member.id } });
  expect(await standIn(member.id, vault)).toBeNull();
});
