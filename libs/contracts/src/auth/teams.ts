import { z } from 'zod';
import { requires } from '../kit/access.js';
import { description, name, numericId, numericString, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { VAULT_ROLES } from '../kit/permissions.js';

export const team = z
  .object({
    id: numericString,
    name: z.string(),
    description: z.string(),
    vault_id: z.string(),
    vault: z.string().describe('Name of the vault'),
    vault_role: z.enum(VAULT_ROLES).optional().describe('Vault role of its members; absent if none is assigned'),
    members: z.array(z.object({ id: z.string(), email: z.string(), name: z.string() })),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Team' });

const params = z.strictObject({ id: numericId });
const memberParams = z.strictObject({ id: numericId, userId: z.string() });

export const listTeams = operation('auth.teams.list', {
  method: 'GET',
  path: '/teams',
  summary: 'List teams of the vault',
  access: requires('vault.organize'),
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(team),
  list: 'nullable-links',
});

export const createTeam = operation('auth.teams.create', {
  method: 'POST',
  path: '/teams',
  summary: 'Create a team',
  access: requires('vault.administer'),
  body: z.strictObject({ name, description: description.default('') }),
  response: team,
  status: 201,
});

export const getTeam = operation('auth.teams.get', {
  method: 'GET',
  path: '/teams/{id}',
  summary: 'Get a team',
  access: requires('vault.organize'),
  params,
  response: team,
});

export const updateTeam = operation('auth.teams.update', {
  method: 'PATCH',
  path: '/teams/{id}',
  summary: 'Update a team',
  access: requires('vault.administer'),
  params,
  body: z.strictObject({ name: name.optional(), description: description.optional() }),
  response: team,
});

export const deleteTeam = operation('auth.teams.delete', {
  method: 'DELETE',
  path: '/teams/{id}',
  summary: 'Delete a team',
  description: 'Its members lose the roles that they had through it.',
  access: requires('vault.administer'),
  params,
  response: z.null(),
  status: 204,
});

export const addTeamMember = operation('auth.teams.addMember', {
  method: 'PUT',
  path: '/teams/{id}/members/{userId}',
  summary: 'Add a user of the vault to a team',
  access: requires('vault.administer'),
  params: memberParams,
  response: team,
});

export const removeTeamMember = operation('auth.teams.removeMember', {
  method: 'DELETE',
  path: '/teams/{id}/members/{userId}',
  summary: 'Remove a user from a team',
  access: requires('vault.administer'),
  params: memberParams,
  response: team,
});
