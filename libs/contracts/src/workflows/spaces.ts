import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { color, description, idParams, name, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { openObject } from '../kit/open-object.js';
import { internalOperation, operation } from '../kit/operation.js';

export const space = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    vault_info: z.string(),
    color: z.string().optional(),
    playground: z.boolean(),
    author: z.string().nullable(),
    author_info: z.string().nullable().describe('The same as `author`'),
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
  summary: 'Spaces of the vault that the caller may enter',
  access: anyUser,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(space),
  list: 'nullable-links',
});

export const createSpace = operation('workflows.spaces.create', {
  method: 'POST',
  path: '/spaces',
  summary: 'Create a space; the caller becomes its owner',
  access: requires('vault.organize'),
  body: z.strictObject({
    name,
    description: description.optional(),
    color: color.optional(),
    playground: z.boolean().optional(),
  }),
  response: space,
  status: 201,
});

export const getSpace = operation('workflows.spaces.get', {
  method: 'GET',
  path: '/spaces/{id}',
  summary: 'One space',
  access: requires('vault.organize', 'space.query'),
  params: idParams,
  response: space,
});

export const updateSpace = operation('workflows.spaces.update', {
  method: 'PATCH',
  path: '/spaces/{id}',
  summary: 'Change a space; unknown fields are ignored unless they look like a misspelt known one',
  access: requires('space.administer'),
  params: idParams,
  body: openObject({
    name: name.optional(),
    description: description.nullable().optional(),
    color: color.optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  response: space,
});

export const deleteSpace = operation('workflows.spaces.delete', {
  method: 'DELETE',
  path: '/spaces/{id}',
  summary: 'Delete a space with its projects and workflows',
  access: requires('vault.organize', 'space.administer'),
  params: idParams,
  response: z.null(),
  status: 204,
});

/** For those who keep something by space: whether a space is in a vault. */
export const findSpaceOf = internalOperation('workflows.spaces.find', {
  summary: 'The name of a space of a vault',
  access: onlyServices('auth', 'datasets', 'notifications'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), space: z.string() }),
  response: z.object({ name: z.string().nullable().describe('Null where there is no such space') }),
});

const spaceFacts = z.object({
  vault: z.uuid(),
  space: z.uuid(),
  name: z.string(),
  user: z.uuid().describe('Who did it'),
  address: z.string().optional(),
});

/** A space exists; its creator becomes its owner. */
export const spaceCreated = event('workflows.space.created', { version: 1, consumers: ['auth'], payload: spaceFacts });

/** A space is gone, and with it every role in it, its solutions, its cached results, and what its webhooks would tell. */
export const spaceDeleted = event('workflows.space.deleted', {
  version: 1,
  consumers: ['auth', 'datasets', 'notifications', 'runs'],
  payload: spaceFacts,
});
