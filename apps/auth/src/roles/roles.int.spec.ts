import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptInvitation, createInvitation } from '@millrace/contracts/auth/invitations';
import { leaveVault, removeMember, updateMember } from '@millrace/contracts/auth/members';
import {
  getVaultRoles,
  setTeamVaultRole,
  setUserVaultRole,
  unsetTeamVaultRole,
  unsetUserVaultRole,
} from '@millrace/contracts/auth/roles';
import { addTeamMember, createTeam, deleteTeam, removeTeamMember } from '@millrace/contracts/auth/teams';
import { SPACE_ROLES, VAULT_ROLES, type SpaceRole } from '@millrace/contracts/kit/permissions';
import { newId } from '@millrace/persistence/ids';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { PASSWORD } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { tokenOf, vaultOfPeople, type Person, type VaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

const newVault = (): Promise<VaultOfPeople> => vaultOfPeople(system, mailbox);

async function newTeam(owner: Person, ...members: Person[]): Promise<string> {
  const { id } = await system.callAs(owner.caller, createTeam, { body: { name: `Team ${newId()}` } });
  for (const { id: userId } of members) await system.callAs(owner.caller, addTeamMember, { params: { id, userId } });
  return id;
}

/** Inserts roles as the event handler would, without the workflows service. */
async function assign(
  vault: string,
  space: string,
  role: SpaceRole,
  holder: { user?: string | undefined; team?: string | undefined },
): Promise<void> {
  await system.database.query(
    'INSERT INTO auth.space_assignment (id, vault_id, space_id, user_id, team_id, role) VALUES ($1, $2, $3, $4, $5, $6)',
    [newId(), vault, space, holder.user ?? null, holder.team ?? null, role],
  );
}

const planOf = (vault: string, plan: string) =>
  system.database.query(`UPDATE auth.vault SET plan = $2, plan_roles = $2 = 'enterprise' WHERE id = $1`, [vault, plan]);

describe('roles in the vault', () => {
  it('take effect at once when they are assigned and removed', async () => {
    const { owner, join } = await newVault();
    const guest = await join();
    const params = { id: guest.id };
    for (const role of VAULT_ROLES) {
      await system.callAs(owner.caller, setUserVaultRole, { params, body: { role } });
      expect(await guest.currentCaller()).toMatchObject({ vaultRole: role, spaces: role === 'owner' ? 'all' : {} });
    }
    await system.callAs(owner.caller, unsetUserVaultRole, { params });
    expect(await guest.currentCaller()).toMatchObject({ vaultRole: 'member', spaces: {} });
  });

  it('can come from teams, and the strongest applies', async () => {
    const { owner, join } = await newVault();
    const guest = await join();
    const weak = await newTeam(owner, guest);
    const strong = await newTeam(owner, guest);
    await system.callAs(owner.caller, setTeamVaultRole, { params: { id: weak }, body: { role: 'member' } });
    await system.callAs(owner.caller, setTeamVaultRole, { params: { id: strong }, body: { role: 'space_admin' } });
    expect(await guest.currentCaller()).toMatchObject({ vaultRole: 'space_admin' });
    const roles = await system.callAs(guest.caller, getVaultRoles);
    expect(roles.effective).toBe('space_admin');
    expect(roles.results).toEqual([
      { role: 'member', source: 'direct' },
      ...[weak, strong].map((id) => expect.objectContaining({ source: 'team', team: expect.objectContaining({ id }) })),
    ]);
    await system.callAs(owner.caller, removeTeamMember, { params: { id: strong, userId: guest.id } });
    expect(await guest.currentCaller()).toMatchObject({ vaultRole: 'member' });
  });

  it('end with the team', async () => {
    const { owner, join } = await newVault();
    const guest = await join();
    const team = await newTeam(owner, guest);
    await system.callAs(owner.caller, setTeamVaultRole, { params: { id: team }, body: { role: 'owner' } });
    expect(await guest.currentCaller()).toMatchObject({ spaces: 'all' });
    await system.callAs(owner.caller, unsetTeamVaultRole, { params: { id: team } });
    expect(await guest.currentCaller()).toMatchObject({ vaultRole: 'member' });
    await system.callAs(owner.caller, setTeamVaultRole, { params: { id: team }, body: { role: 'owner' } });
    await system.callAs(owner.caller, deleteTeam, { params: { id: team } });
    expect(await guest.currentCaller()).toMatchObject({ vaultRole: 'member', spaces: {} });
  });

  it("cannot be assigned to another vault's users and teams", async () => {
    const [one, other] = [await newVault(), await newVault()];
    const team = await newTeam(other.owner);
    const { callAs } = system;
    const body = { role: 'owner' as const };
    const params = { id: other.owner.id };
    await expect(callAs(one.owner.caller, setUserVaultRole, { params, body })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(callAs(one.owner.caller, setTeamVaultRole, { params: { id: team }, body })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      callAs(one.owner.caller, addTeamMember, { params: { id: team, userId: one.owner.id } }),
    ).rejects.toMatchObject({ code: 'not_found' });
    const own = await newTeam(one.owner);
    await expect(
      callAs(one.owner.caller, addTeamMember, { params: { id: own, userId: other.owner.id } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the last owner', () => {
  const refused = { code: 'validation_error', details: { 'params.id': expect.stringContaining('last owner') } };

  it('can neither be demoted, disabled or removed, nor leave', async () => {
    const { owner, join } = await newVault();
    const guest = await join();
    const team = await newTeam(owner, guest);
    // An owner through a team does not count.
    await system.callAs(owner.caller, setTeamVaultRole, { params: { id: team }, body: { role: 'owner' } });
    const params = { id: owner.id };
    const requests = [
      system.callAs(owner.caller, setUserVaultRole, { params, body: { role: 'member' } }),
      system.callAs(owner.caller, unsetUserVaultRole, { params }),
      system.callAs(owner.caller, updateMember, { params, body: { disabled: true } }),
      system.callAs(guest.caller, removeMember, { params }),
      system.callAs(owner.caller, leaveVault),
    ];
    for (const request of requests) await expect(request).rejects.toMatchObject(refused);
    expect(await owner.currentCaller()).toMatchObject({ vaultRole: 'owner' });
  });

  it('stays an owner if two owners demote each other at once', async () => {
    const { owner, join } = await newVault();
    const second = await join('owner');
    const demote = (who: Person, by: Person) =>
      system.callAs(by.caller, setUserVaultRole, { params: { id: who.id }, body: { role: 'member' } });
    const ends = await Promise.allSettled([demote(owner, second), demote(second, owner)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('may leave when there is another owner', async () => {
    const { owner, join } = await newVault();
    await join('owner');
    await system.callAs(owner.caller, leaveVault);
    expect(await owner.currentCaller()).toBeNull();
  });
});

describe('roles in spaces', () => {
  it('combine the roles of the user and of all their teams', async () => {
    const { owner, join } = await newVault();
    const guest = await join();
    const teams = [await newTeam(owner, guest), await newTeam(owner, guest), await newTeam(owner)];
    const [one, other, none] = [newId(), newId(), newId()];
    const { vault } = owner.caller;
    await assign(vault, one, 'read', { user: guest.id });
    await assign(vault, one, 'execute', { team: teams[0] });
    await assign(vault, one, 'insights', { team: teams[1] });
    await assign(vault, other, 'write', { team: teams[1] });
    await assign(vault, none, 'owner', { team: teams[2] });
    expect((await guest.currentCaller())?.spaces).toEqual({ [one]: 'execute', [other]: 'write' });
  });

  it.each(SPACE_ROLES)('are returned as they were assigned: %s', async (role) => {
    const { owner, join } = await newVault();
    const guest = await join();
    const space = newId();
    await assign(owner.caller.vault, space, role, { user: guest.id });
    expect((await guest.currentCaller())?.spaces).toEqual({ [space]: role });
  });
});

describe('a plan without roles', () => {
  const refused = { code: 'plan_required' };

  it('allows only the default roles', async () => {
    const { owner, join } = await newVault();
    const guest = await join();
    const team = await newTeam(owner, guest);
    await planOf(owner.caller.vault, 'free');
    const { callAs } = system;
    const user = { params: { id: guest.id } };
    await expect(callAs(owner.caller, setUserVaultRole, { ...user, body: { role: 'owner' } })).rejects.toMatchObject(
      refused,
    );
    await expect(
      callAs(owner.caller, setUserVaultRole, { ...user, body: { role: 'space_admin' } }),
    ).rejects.toMatchObject(refused);
    await expect(
      callAs(owner.caller, setTeamVaultRole, { params: { id: team }, body: { role: 'member' } }),
    ).rejects.toMatchObject(refused);
    await expect(callAs(owner.caller, setUserVaultRole, { ...user, body: { role: 'member' } })).resolves.toEqual({
      success: true,
    });
    await expect(join('owner')).rejects.toMatchObject(refused);
    expect(await (await join()).currentCaller()).toMatchObject({ vaultRole: 'member' });
  });

  it('grants none through an existing team or invitation', async () => {
    const { owner, join } = await newVault();
    const guest = await join();
    const [inVault, inSpace, without] = [await newTeam(owner), await newTeam(owner), await newTeam(owner)];
    await system.callAs(owner.caller, setTeamVaultRole, { params: { id: inVault }, body: { role: 'owner' } });
    await assign(owner.caller.vault, newId(), 'owner', { team: inSpace });
    const email = `late-${newId()}@example.org`;
    await system.callAs(owner.caller, createInvitation, { body: { email, role: 'owner' } });
    await planOf(owner.caller.vault, 'free');
    const add = (id: string) => system.callAs(owner.caller, addTeamMember, { params: { id, userId: guest.id } });
    await expect(add(inVault)).rejects.toMatchObject(refused);
    await expect(add(inSpace)).rejects.toMatchObject(refused);
    await add(without);
    const token = tokenOf((await mailbox.take(email, 'invitation')).link);
    const { user } = await system.callAs(null, acceptInvitation, { body: { token, name: 'Late', password: PASSWORD } });
    expect(user.vault_role).toBe('member');
  });

  it('allows roles to be removed', async () => {
    const { owner, join } = await newVault();
    const admin = await join('space_admin');
    await planOf(owner.caller.vault, 'team');
    await system.callAs(owner.caller, unsetUserVaultRole, { params: { id: admin.id } });
    expect(await admin.currentCaller()).toMatchObject({ vaultRole: 'member' });
  });
});
