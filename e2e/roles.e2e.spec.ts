import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { SPACE_ROLES } from '@millrace/contracts/kit/permissions';
import { auditLog, members, projects, roles, spaces, teams, users, workflows } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import { databaseUrl } from './support/own-system.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let owner: Account;
let guest: Account;
let spaceId: string;
beforeAll(async () => {
  owner = await signUp();
  guest = await invite(owner);
  spaceId = owner.space;
});

const refusal = (code: string) => expect.objectContaining({ code });
const seeSpace = (who: Account, id = spaceId) => who.client.call(spaces.getSpace, { params: { id } });
const makeProject = (who: Account) =>
  who.client.call(projects.createProject, { params: { spaceId }, body: { name: 'Mine' } });
const setRole = (who: Account, role: (typeof SPACE_ROLES)[number]) =>
  owner.client.call(roles.setUserSpaceRole, { params: { spaceId, id: who.user }, body: { role } });

describe('a role in a space', () => {
  it('gives access to the space from its assignment until its removal', async () => {
    await expect(seeSpace(guest)).rejects.toEqual(refusal('not_found'));
    await setRole(guest, 'read');
    await eventually(() => seeSpace(guest));
    await expect(makeProject(guest)).rejects.toEqual(refusal('forbidden'));
    await setRole(guest, 'write');
    await eventually(() => makeProject(guest));
    await owner.client.call(roles.unsetUserSpaceRole, { params: { spaceId, id: guest.user } });
    await eventually(() => expect(seeSpace(guest)).rejects.toEqual(refusal('not_found')));
  });

  it('can also come from a team, and each role is shown with its source', async () => {
    const { id } = await owner.client.call(teams.createTeam, { body: { name: 'Analysts' } });
    await owner.client.call(teams.addTeamMember, { params: { id, userId: guest.user } });
    await owner.client.call(roles.setTeamSpaceRole, { params: { spaceId, id }, body: { role: 'execute' } });
    await setRole(guest, 'insights');
    await eventually(() => seeSpace(guest));
    expect(await guest.client.call(roles.getSpaceRoles, { params: { spaceId } })).toEqual({
      results: [
        { role: 'insights', source: 'direct' },
        { role: 'execute', source: 'team', team: { id, name: 'Analysts' } },
      ],
      effective: 'execute',
    });
    const { results } = await owner.client.call(roles.listSpaceAssignments, { params: { spaceId } });
    expect(results.map(({ role, user, team }) => [role, user?.id ?? team?.id])).toEqual(
      expect.arrayContaining([
        ['insights', guest.user],
        ['execute', id],
        ['owner', owner.user],
      ]),
    );
    await owner.client.call(teams.deleteTeam, { params: { id } });
    const inSpace = { params: { spaceId } };
    await eventually(async () => {
      expect((await guest.client.call(roles.getSpaceRoles, inSpace)).effective).toBe('insights');
      await expect(guest.client.call(workflows.listSpaceWorkflows, inSpace)).rejects.toEqual(refusal('forbidden'));
    });
  });

  it('cannot be assigned in spaces that do not exist, or by users who do not own the space', async () => {
    await setRole(guest, 'write');
    const body = { role: 'owner' as const };
    const params = { spaceId, id: guest.user };
    await eventually(() =>
      expect(guest.client.call(roles.setUserSpaceRole, { params, body })).rejects.toEqual(refusal('forbidden')),
    );
    const outsider = await signUp();
    for (const wrong of [{ spaceId: outsider.space }, { id: outsider.user }, { spaceId: 'no-id' }, { id: 'no-id' }]) {
      const attempt = owner.client.call(roles.setUserSpaceRole, { params: { ...params, ...wrong }, body });
      await expect(attempt).rejects.toEqual(refusal('not_found'));
    }
  });
});

describe('an organizer of the vault', () => {
  it('creates spaces and owns them at once, sees all spaces, and deletes any space without a role in it', async () => {
    const admin = await invite(owner, 'space_admin');
    const made = await admin.client.call(spaces.createSpace, { body: { name: 'Lab' } });
    expect(await admin.client.call(roles.getSpaceRoles, { params: { spaceId: made.id } })).toMatchObject({
      effective: 'owner',
    });
    await admin.client.call(projects.createProject, { params: { spaceId: made.id }, body: { name: 'First' } });
    const { results } = await admin.client.call(spaces.listSpaces);
    expect(results.map(({ id }) => id)).toEqual(expect.arrayContaining([made.id, spaceId]));
    const others = await owner.client.call(spaces.createSpace, { body: { name: 'Not theirs' } });
    const inOthers = { params: { spaceId: others.id } };
    await expect(admin.client.call(projects.listProjects, inOthers)).rejects.toEqual(refusal('not_found'));
    await admin.client.call(spaces.deleteSpace, { params: { id: others.id } });
    await expect(seeSpace(owner, others.id)).rejects.toEqual(refusal('not_found'));
    await eventually(async () => {
      const { results: entries } = await owner.client.call(auditLog.listAuditLog, { query: { search: 'Not theirs' } });
      expect(entries.map(({ action }) => action)).toEqual(['space.deleted', 'space.created']);
    });
  });
});

it('a disabled or removed user has no access, neither with a session nor with an API token', async () => {
  const leaver = await invite(owner);
  const { token } = await leaver.client.call(users.regenerateToken);
  const readStatuses = async () => {
    const session = await rawRequest(leaver, 'GET', '/api/users/me');
    const headers = { authorization: `Token ${token}` };
    return [session.status, (await rawRequest(leaver, 'GET', '/api/users/me', { headers })).status];
  };
  expect(await readStatuses()).toEqual([200, 200]);
  const params = { id: leaver.user };
  await owner.client.call(members.updateMember, { params, body: { disabled: true } });
  await eventually(async () => expect(await readStatuses()).toEqual([401, 401]));
  await owner.client.call(members.updateMember, { params, body: { disabled: false } });
  // Credentials from before the user was disabled stay invalid.
  expect(await readStatuses()).toEqual([401, 401]);
  await owner.client.call(members.removeMember, { params });
  await eventually(async () => expect(await readStatuses()).toEqual([401, 401]));
});

it('a plan without roles allows only the default role in a space', async () => {
  const founder = await signUp();
  const joined = await invite(founder);
  const team = await founder.client.call(teams.createTeam, { body: { name: 'All' } });
  const database = new Client({ connectionString: databaseUrl(process.env.TEST_DATA_DIR ?? '') });
  await database.connect();
  await database.query(
    `UPDATE auth.vault SET plan = 'free', plan_roles = false WHERE id = (SELECT vault_id FROM auth."user" WHERE id = $1)`,
    [founder.user],
  );
  await database.end();
  const inSpace = { spaceId: founder.space };
  const set = (role: (typeof SPACE_ROLES)[number]) =>
    founder.client.call(roles.setUserSpaceRole, { params: { ...inSpace, id: joined.user }, body: { role } });
  for (const role of SPACE_ROLES.filter((one) => one !== 'write')) {
    await expect(set(role)).rejects.toEqual(refusal('plan_required'));
  }
  await set('write');
  const params = { ...inSpace, id: team.id };
  await expect(founder.client.call(roles.setTeamSpaceRole, { params, body: { role: 'write' } })).rejects.toEqual(
    refusal('plan_required'),
  );
});
