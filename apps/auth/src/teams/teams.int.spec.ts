import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  getTeam,
  listTeams,
  removeTeamMember,
  updateTeam,
} from '@millrace/contracts/auth/teams';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

it('a team can be created, changed, filled, emptied and deleted', async () => {
  const { owner, join } = await vaultOfPeople(system, mailbox);
  const guest = await join();
  const created = await system.callAs(owner.caller, createTeam, { body: { name: 'Blue' } });
  expect(created).toMatchObject({ id: expect.stringMatching(/^\d+$/), name: 'Blue', description: '', members: [] });
  expect(created).toMatchObject({ vault_id: owner.caller.vault, vault: "Ada's vault" });
  const params = { id: created.id };
  const changed = await system.callAs(owner.caller, updateTeam, { params, body: { description: 'Defence' } });
  expect(changed).toMatchObject({ name: 'Blue', description: 'Defence' });
  const member = { params: { ...params, userId: guest.id } };
  await system.callAs(owner.caller, addTeamMember, member);
  const again = await system.callAs(owner.caller, addTeamMember, member);
  expect(again.members).toEqual([{ id: guest.id, email: guest.email, name: 'Guest' }]);
  expect(await system.callAs(owner.caller, getTeam, { params })).toEqual(again);
  expect((await system.callAs(owner.caller, removeTeamMember, member)).members).toEqual([]);
  await expect(system.callAs(owner.caller, removeTeamMember, member)).rejects.toMatchObject({ code: 'not_found' });
  await system.callAs(owner.caller, deleteTeam, { params });
  await expect(system.callAs(owner.caller, getTeam, { params })).rejects.toMatchObject({ code: 'not_found' });
});

it('the name of a team is unique in its vault, even for concurrent requests', async () => {
  const { caller } = await signUp(system);
  const make = () => system.callAs(caller, createTeam, { body: { name: 'Same' } });
  const ends = await Promise.allSettled([make(), make(), make()]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(make()).rejects.toMatchObject({
    code: 'validation_error',
    details: { 'body.name': expect.any(String) },
  });
  const other = await system.callAs(caller, createTeam, { body: { name: 'Other' } });
  const params = { id: other.id };
  await expect(system.callAs(caller, updateTeam, { params, body: { name: 'Same' } })).rejects.toMatchObject({
    code: 'validation_error',
  });
  await system.callAs(caller, updateTeam, { params, body: { name: 'Other' } });
});

it('a team is listed only in its vault', async () => {
  const [{ caller }, { caller: otherOwner }] = [await signUp(system), await signUp(system)];
  for (const name of ['Beta', 'Alpha']) await system.callAs(caller, createTeam, { body: { name } });
  const { results, count } = await system.callAs(caller, listTeams, { query: { ordering: 'name' } });
  expect({ names: results.map(({ name }) => name), count }).toEqual({ names: ['Alpha', 'Beta'], count: 2 });
  expect(await system.callAs(otherOwner, listTeams)).toEqual({ results: [], count: 0 });
  const params = { id: results[0]?.id ?? '' };
  await expect(system.callAs(otherOwner, getTeam, { params })).rejects.toMatchObject({ code: 'not_found' });
  await expect(system.callAs(otherOwner, deleteTeam, { params })).rejects.toMatchObject({ code: 'not_found' });
});
