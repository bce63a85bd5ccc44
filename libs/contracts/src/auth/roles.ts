import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { numericString, timestamp, success, numericPathId, pathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';
import { SPACE_ROLES, VAULT_ROLES } from '../kit/permissions.js';

const teamRef = z.object({ id: numericString, name: z.string() });
const vaultRole = z.enum(VAULT_ROLES);
const spaceRole = z.enum(SPACE_ROLES);

const assignedRoles = <R extends z.ZodType>(role: R) =>
  z.object({
    results: z.array(z.object({ role, source: z.enum(['direct', 'team']), team: teamRef.optional() })),
    effective: role.nullable().describe('The most permissive of these roles; null if there are none'),
  });

export const getVaultRoles = operation('auth.roles.vault', {
  method: 'GET',
  path: '/rbac/vault/roles',
  summary: 'List your roles in the vault',
  description:
    'Contains the role that you have directly, and one for each of your teams with a vault role. `effective` is ' +
    'the strongest of them.',
  access: anyUser,
  response: assignedRoles(vaultRole),
});

export const getSpaceRoles = operation('auth.roles.space', {
  method: 'GET',
  path: '/rbac/spaces/{spaceId}/roles',
  summary: 'List your roles in a space',
  description: 'Owners of the vault have the role `owner` in every space.',
  access: anyUser,
  params: z.strictObject({ spaceId: pathId('space') }),
  response: assignedRoles(spaceRole),
});

const user = z.strictObject({ id: pathId('user') });
const team = z.strictObject({ id: numericPathId('team') });
const userInSpace = z.strictObject({ spaceId: pathId('space'), id: pathId('user') });
const teamInSpace = z.strictObject({ spaceId: pathId('space'), id: numericPathId('team') });

export const setUserVaultRole = operation('auth.roles.setUserVault', {
  method: 'PUT',
  path: '/rbac/vault/users/{id}',
  summary: 'Assign a vault role to a user',
  description:
    'Replaces the role that the user has directly; roles through teams remain. A plan without roles allows only ' +
    '`member`, and any other is 403 `plan_required`. The last owner cannot get a weaker role.',
  access: requires('vault.administer'),
  params: user,
  body: z.strictObject({ role: vaultRole.describe('Vault role to assign') }),
  response: success,
  errors: ['plan_required'],
});

export const unsetUserVaultRole = operation('auth.roles.unsetUserVault', {
  method: 'DELETE',
  path: '/rbac/vault/users/{id}',
  summary: "Reset a user's vault role to member",
  description:
    'Roles through teams remain. The last owner of the vault cannot lose that role. Pending invitations that a ' +
    'former owner has sent are revoked.',
  access: requires('vault.administer'),
  params: user,
  response: success,
});

export const setTeamVaultRole = operation('auth.roles.setTeamVault', {
  method: 'PUT',
  path: '/rbac/vault/teams/{id}',
  summary: 'Assign a vault role to the members of a team',
  description:
    "Replaces the vault role that the team had. A member's effective role is the strongest of their own and " +
    "their teams'. A plan without roles is 403 `plan_required`.",
  access: requires('vault.administer'),
  params: team,
  body: z.strictObject({ role: vaultRole.describe('Vault role to assign') }),
  response: success,
  errors: ['plan_required'],
});

export const unsetTeamVaultRole = operation('auth.roles.unsetTeamVault', {
  method: 'DELETE',
  path: '/rbac/vault/teams/{id}',
  summary: "Remove a team's vault role",
  description:
    'Members keep the roles that they have directly or through other teams. If the team has no vault role, ' +
    'nothing changes.',
  access: requires('vault.administer'),
  params: team,
  response: success,
});

export const setUserSpaceRole = operation('auth.roles.setUserSpace', {
  method: 'PUT',
  path: '/rbac/spaces/{spaceId}/users/{id}',
  summary: 'Assign a space role to a user',
  description:
    'Replaces the role that the user has directly in the space; roles through teams remain. A plan without roles ' +
    'allows only the default role, and any other is 403 `plan_required`.',
  access: requires('space.administer'),
  params: userInSpace,
  body: z.strictObject({ role: spaceRole.describe('Space role to assign') }),
  response: success,
  errors: ['plan_required'],
});

export const unsetUserSpaceRole = operation('auth.roles.unsetUserSpace', {
  method: 'DELETE',
  path: '/rbac/spaces/{spaceId}/users/{id}',
  summary: "Remove a user's role in a space",
  description: 'Roles through teams remain. If the user has no role of their own in the space, nothing changes.',
  access: requires('space.administer'),
  params: userInSpace,
  response: success,
});

export const setTeamSpaceRole = operation('auth.roles.setTeamSpace', {
  method: 'PUT',
  path: '/rbac/spaces/{spaceId}/teams/{id}',
  summary: 'Assign a space role to the members of a team',
  description:
    "Replaces the role that the team had in the space. A member's effective role is the strongest of their own " +
    "and their teams'. A plan without roles is 403 `plan_required`.",
  access: requires('space.administer'),
  params: teamInSpace,
  body: z.strictObject({ role: spaceRole.describe('Space role to assign') }),
  response: success,
  errors: ['plan_required'],
});

export const unsetTeamSpaceRole = operation('auth.roles.unsetTeamSpace', {
  method: 'DELETE',
  path: '/rbac/spaces/{spaceId}/teams/{id}',
  summary: "Remove a team's role in a space",
  description:
    'Members keep the roles that they have directly or through other teams. If the team has no role in the ' +
    'space, nothing changes.',
  access: requires('space.administer'),
  params: teamInSpace,
  response: success,
});

export const spaceAssignment = z
  .object({
    id: z.string(),
    role: spaceRole,
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }).optional(),
    team: teamRef.optional(),
    created_date: timestamp,
  })
  .meta({ id: 'SpaceAssignment' });

export const listSpaceAssignments = operation('auth.roles.listSpace', {
  method: 'GET',
  path: '/rbac/spaces/{spaceId}/assignments',
  summary: 'List the roles assigned in a space',
  description:
    'Contains users and teams with a role in this space. Owners of the vault, who may do everything in every ' +
    'space, are not listed. `search` looks in names.',
  access: requires('space.administer'),
  params: z.strictObject({ spaceId: pathId('space') }),
  query: listQuery(['created_date', 'role'], { ordering: '-created_date', filters: {} }),
  response: pageOf(spaceAssignment),
  list: 'nullable-links',
});

/**
 * Called when a space is created, so that its creator can use it at once. `workflows.space.created` has the same effect
 * later.
 */
export const admitCreator = internalOperation('auth.roles.admitCreator', {
  summary: 'Make the creator of a space its owner (idempotent)',
  access: onlyServices('workflows'),
  body: z.object({ vault: z.uuid(), space: z.uuid(), creator: z.uuid(), name: z.string() }),
  response: z.object({}),
});
