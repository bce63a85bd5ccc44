import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { numericId, numericString, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';
import { SPACE_ROLES, VAULT_ROLES } from '../kit/permissions.js';

const teamRef = z.object({ id: numericString, name: z.string() });
const vaultRole = z.enum(VAULT_ROLES);
const spaceRole = z.enum(SPACE_ROLES);

const held = <R extends z.ZodType>(role: R) =>
  z.object({
    results: z.array(z.object({ role, source: z.enum(['direct', 'team']), team: teamRef.optional() })),
    effective: role.nullable().describe('The most permissive of them; null where there is none'),
  });

const done = z.object({ success: z.boolean() });

export const getVaultRoles = operation('auth.roles.vault', {
  method: 'GET',
  path: '/rbac/vault/roles',
  summary: "The caller's roles in the vault",
  access: anyUser,
  response: held(vaultRole),
});

export const getSpaceRoles = operation('auth.roles.space', {
  method: 'GET',
  path: '/rbac/spaces/{spaceId}/roles',
  summary: "The caller's roles in a space; owners of the vault enter every space as its owner",
  access: anyUser,
  params: z.strictObject({ spaceId: z.string() }),
  response: held(spaceRole),
});

const user = z.strictObject({ id: z.string() });
const team = z.strictObject({ id: numericId });
const userInSpace = z.strictObject({ spaceId: z.string(), id: z.string() });
const teamInSpace = z.strictObject({ spaceId: z.string(), id: numericId });

export const setUserVaultRole = operation('auth.roles.setUserVault', {
  method: 'PUT',
  path: '/rbac/vault/users/{id}',
  summary: 'Give a user a role in the vault',
  access: requires('vault.administer'),
  params: user,
  body: z.strictObject({ role: vaultRole }),
  response: done,
  errors: ['plan_required'],
});

export const unsetUserVaultRole = operation('auth.roles.unsetUserVault', {
  method: 'DELETE',
  path: '/rbac/vault/users/{id}',
  summary: "Take a user's role in the vault back to member",
  access: requires('vault.administer'),
  params: user,
  response: done,
});

export const setTeamVaultRole = operation('auth.roles.setTeamVault', {
  method: 'PUT',
  path: '/rbac/vault/teams/{id}',
  summary: 'Give the members of a team a role in the vault',
  access: requires('vault.administer'),
  params: team,
  body: z.strictObject({ role: vaultRole }),
  response: done,
  errors: ['plan_required'],
});

export const unsetTeamVaultRole = operation('auth.roles.unsetTeamVault', {
  method: 'DELETE',
  path: '/rbac/vault/teams/{id}',
  summary: "Take a team's role in the vault away",
  access: requires('vault.administer'),
  params: team,
  response: done,
});

export const setUserSpaceRole = operation('auth.roles.setUserSpace', {
  method: 'PUT',
  path: '/rbac/spaces/{spaceId}/users/{id}',
  summary: 'Give a user a role in a space',
  access: requires('space.administer'),
  params: userInSpace,
  body: z.strictObject({ role: spaceRole }),
  response: done,
  errors: ['plan_required'],
});

export const unsetUserSpaceRole = operation('auth.roles.unsetUserSpace', {
  method: 'DELETE',
  path: '/rbac/spaces/{spaceId}/users/{id}',
  summary: "Take a user's role in a space away",
  access: requires('space.administer'),
  params: userInSpace,
  response: done,
});

export const setTeamSpaceRole = operation('auth.roles.setTeamSpace', {
  method: 'PUT',
  path: '/rbac/spaces/{spaceId}/teams/{id}',
  summary: 'Give the members of a team a role in a space',
  access: requires('space.administer'),
  params: teamInSpace,
  body: z.strictObject({ role: spaceRole }),
  response: done,
  errors: ['plan_required'],
});

export const unsetTeamSpaceRole = operation('auth.roles.unsetTeamSpace', {
  method: 'DELETE',
  path: '/rbac/spaces/{spaceId}/teams/{id}',
  summary: "Take a team's role in a space away",
  access: requires('space.administer'),
  params: teamInSpace,
  response: done,
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
  summary: 'Who holds which role in a space',
  access: requires('space.administer'),
  params: z.strictObject({ spaceId: z.string() }),
  query: listQuery(['created_date', 'role'], { ordering: '-created_date', filters: {} }),
  response: pageOf(spaceAssignment),
  list: 'nullable-links',
});

/** Asked when a space was made, so that its creator can use it at once; `workflows.space.created` does the same later. */
export const admitCreator = internalOperation('auth.roles.admitCreator', {
  summary: 'Make the creator of a space its owner; done once however often it is asked',
  access: onlyServices('workflows'),
  body: z.object({ vault: z.uuid(), space: z.uuid(), creator: z.uuid(), name: z.string() }),
  response: z.object({}),
});
