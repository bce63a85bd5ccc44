import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { color, description, name, timestamp, idOf } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { openObject } from '../kit/open-object.js';
import { internalOperation, operation } from '../kit/operation.js';
import { SPACE_ROLES } from '../kit/permissions.js';

export const space = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    vault_info: z.string(),
    color: z.string().optional(),
    playground: z.boolean(),
    role: z
      .enum(SPACE_ROLES)
      .nullable()
      .describe('Your effective role in the space. Space admins also see spaces in which they have none: null'),
    author: z.string().nullable(),
    author_info: z.string().nullable().describe('Same as `author`'),
    projects_count: z.number().int(),
    workflows_count: z.number().int(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Space' });

export const listSpaces = operation('workflows.spaces.list', {
  method: 'GET',
  path: '/spaces',
  summary: 'List spaces that you may enter',
  description:
    'Owners and space admins see every space of the vault, other users those in which they have a role. `search` ' +
    'looks in names and descriptions.',
  access: anyUser,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(space),
  list: 'nullable-links',
  tool: { name: 'list_spaces', guidance: 'Workflows live in spaces: `create_workflow` takes the id of one.' },
});

export const createSpace = operation('workflows.spaces.create', {
  method: 'POST',
  path: '/spaces',
  summary: 'Create a space',
  description: 'The caller becomes its owner.',
  access: requires('vault.organize'),
  body: z.strictObject({
    name,
    description: description.optional(),
    color: color.optional(),
    playground: z.boolean().optional().describe('Whether clients show it as a space for trying things out'),
  }),
  response: space,
  status: 201,
});

export const getSpace = operation('workflows.spaces.get', {
  method: 'GET',
  path: '/spaces/{id}',
  summary: 'Get a space',
  description:
    'Includes the number of its projects and workflows. A space in which you have no role is 404, unless you are ' +
    'an owner or space admin of the vault.',
  access: requires('vault.organize', 'space.query'),
  params: idOf('space'),
  response: space,
});

export const updateSpace = operation('workflows.spaces.update', {
  method: 'PATCH',
  path: '/spaces/{id}',
  summary: 'Update a space',
  description: 'Unknown fields are ignored, except those that look like a misspelt known field: they are rejected.',
  access: requires('space.administer'),
  params: idOf('space'),
  body: openObject({
    name: name.optional(),
    description: description.nullable().optional(),
    color: color.optional(),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Any JSON object for clients; replaces the former one'),
  }),
  response: space,
});

export const deleteSpace = operation('workflows.spaces.delete', {
  method: 'DELETE',
  path: '/spaces/{id}',
  summary: 'Delete a space with its projects and workflows',
  description:
    'Also deletes its solutions with their Live Tables, its cached results and the roles in it. Runs of its ' +
    'workflows remain until they are deleted. Deleted records cannot be restored.',
  access: requires('vault.organize', 'space.administer'),
  params: idOf('space'),
  response: z.null(),
  status: 204,
});

/** For services that store records by space: checks that a space belongs to a vault. */
export const findSpaceOf = internalOperation('workflows.spaces.find', {
  summary: 'Get the name of a space in a vault',
  access: onlyServices('auth', 'datasets', 'notifications', 'runs'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), space: z.string() }),
  response: z.object({ name: z.string().nullable().describe('Null if the space does not exist') }),
});

const spaceEvent = z.object({
  vault: z.uuid(),
  space: z.uuid(),
  name: z.string(),
  user: z.uuid().describe('User who made the change'),
  address: z.string().optional(),
  agent: z.string().optional(),
});

/** A space was created; its creator becomes its owner. */
export const spaceCreated = event('workflows.space.created', { version: 1, consumers: ['auth'], payload: spaceEvent });

/** A space was deleted. Its consumers delete the roles in it, its solutions, its cached results and its webhook events. */
export const spaceDeleted = event('workflows.space.deleted', {
  version: 1,
  consumers: ['auth', 'datasets', 'notifications', 'runs'],
  payload: spaceEvent,
});
