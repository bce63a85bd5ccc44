import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { leaveVault, listMembers, removeMember, updateMember } from '@millrace/contracts/auth/members';
import { setTeamVaultRole } from '@millrace/contracts/auth/roles';
import { addTeamMember, createTeam, getTeam } from '@millrace/contracts/auth/teams';
import { regenerateToken } from '@millrace/contracts/auth/users';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { signIn, signUp } from '@millrace/testkit/sign-up';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { hashSecret } from '../secrets/random-token.js';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

it('the list of members contains only the users of the vault, with their roles', async () => {
  const { owner, join } = await vaultOfPeople(system, mailbox);
  const guest = await join();
  await signUp(system);
  const team = await system.callAs(owner.caller, createTeam, { body: { name: 'Red team' } });
  await system.callAs(owner.caller, addTeamMember, { params: { id: team.id, userId: guest.id } });
  await system.callAs(owner.caller, setTeamVaultRole, { params: { id: team.id }, body: { role: 'space_admin' } });
  const { results, count } = await system.callAs(owner.caller, listMembers, { query: { ordering: 'created_date' } });
  expect(count).toBe(2);
  expect(results).toMatchObject([
    { id: owner.id, vault_role: 'owner', effective_role: 'owner', teams: [] },
    { id: guest.id, vault_role: 'member', effective_role: 'space_admin', teams: [{ id: team.id, name: 'Red team' }] },
  ]);
  const found = await system.callAs(owner.caller, listMembers, { query: { search: guest.email.toUpperCase() } });
  expect(found.results.map(({ id }) => id)).toEqual([guest.id]);
});

it('a disabled user has no valid session or token, and cannot sign in until they are enabled', async () => {
  const { owner, join } = await vaultOfPeople(system, mailbox);
  const guest = await join();
  const { token } = await system.callAs(guest.caller, regenerateToken);
  const callerOfToken = async () =>
    (await system.callAs(null, resolveCaller, { body: { tokenHash: hashSecret(token) } })).caller;
  expect(await callerOfToken()).not.toBeNull();
  const params = { id: guest.id };
  expect(await system.callAs(owner.caller, updateMember, { params, body: { disabled: true } })).toMatchObject({
    disabled: true,
  });
  expect(await guest.currentCaller()).toBeNull();
  expect(await callerOfToken()).toBeNull();
  await expect(signIn(system, guest.email)).rejects.toMatchObject({ code: 'invalid_credentials' });
  await system.callAs(owner.caller, updateMember, { params, body: { disabled: false } });
  expect(await guest.currentCaller()).toBeNull();
  await signIn(system, guest.email);
});

it('a user who is removed or leaves is deleted with their roles, and the email can be used again', async () => {
  const { owner, join } = await vaultOfPeople(system, mailbox);
  const [removed, left] = [await join(), await join('space_admin')];
  const team = await system.callAs(owner.caller, createTeam, { body: { name: 'All' } });
  for (const { id } of [removed, left]) {
    await system.callAs(owner.caller, addTeamMember, { params: { id: team.id, userId: id } });
  }
  await system.callAs(owner.caller, removeMember, { params: { id: removed.id } });
  await system.callAs(left.caller, leaveVault);
  for (const { currentCaller } of [removed, left]) expect(await currentCaller()).toBeNull();
  const published = await system.database.query<{ user: string }>(
    `SELECT payload->>'user' AS user FROM messaging.outbox WHERE name = 'auth.member.left' AND payload->>'vault' = $1
     ORDER BY id`,
    [owner.caller.vault],
  );
  expect(published).toEqual([{ user: removed.id }, { user: left.id }]);
  expect((await system.callAs(owner.caller, getTeam, { params: { id: team.id } })).members).toEqual([]);
  await expect(system.callAs(owner.caller, removeMember, { params: { id: removed.id } })).rejects.toMatchObject({
    code: 'not_found',
  });
  await signUp(system, removed.email);
});

it("another vault's users do not exist for the caller", async () => {
  const [{ owner }, other] = [await vaultOfPeople(system, mailbox), await vaultOfPeople(system, mailbox)];
  for (const id of [other.owner.id, 'nobody']) {
    await expect(system.callAs(owner.caller, removeMember, { params: { id } })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      system.callAs(owner.caller, updateMember, { params: { id }, body: { disabled: true } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  }
});
