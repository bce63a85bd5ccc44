import { z } from 'zod';
import { requires } from '../kit/access.js';
import { description, name, numericString, timestamp, numericPathId, pathId } from '../kit/fields.js';
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

const params = z.strictObject({ id: numericPathId('team') });
const memberParams = z.strictObject({ id: numericPathId('team'), userId: pathId('user') });

export const listTeams = operation('auth.teams.list', {
  method: 'GET',
  path: '/teams',
  summary: 'List teams of the vault',
  description: 'Each team is listed with its members and its vault role. `search` looks in names and descriptions.',
  access: requires('vault.organize'),
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(team),
  list: 'nullable-links',
});

export const createTeam = operation('auth.teams.create', {
  method: 'POST',
  path: '/teams',
  summary: 'Create a team',
  description: 'The new team has no members and no roles. A name that another team of the vault has is 400.',
  access: requires('vault.administer'),
  body: z.strictObject({ name, description: description.default('') }),
  response: team,
  status: 201,
});

export const getTeam = operation('auth.teams.get', {
  method: 'GET',
  path: '/teams/{id}',
  summary: 'Get a team',
  description:
    'Includes its members and its vault role. Roles in spaces are listed by `GET /rbac/spaces/{spaceId}/assignments`.',
  access: requires('vault.organize'),
  params,
  response: team,
});

export const updateTeam = operation('auth.teams.update', {
  method: 'PATCH',
  path: '/teams/{id}',
  summary: 'Update a team',
  description: 'Omitted fields keep their value. A name that another team of the vault has is 400.',
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
  description:
    'The user gets the roles of the team. A user who is already a member stays one. If the team has a role and ' +
    'the plan has none, the response is 403 `plan_required`.',
  access: requires('vault.administer'),
  params: memberParams,
  response: team,
});

export const removeTeamMember = operation('auth.teams.removeMember', {
  method: 'DELETE',
  path: '/teams/{id}/members/{userId}',
  summary: 'Remove a user from a team',
  description: 'The user loses the roles that only this team gave. A user who is not a member of the team is 404.',
  access: requires('vault.administer'),
  params: memberParams,
  response: team,
});
