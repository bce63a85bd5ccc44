import { z } from 'zod';
import { requires } from '../kit/access.js';
import { description, name, timestamp, idOf, pathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

export const project = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    space_info: z.string(),
    space_name: z.string(),
    workflows_count: z.number().int(),
    author: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Project' });

const spaceParams = z.strictObject({ spaceId: pathId('space') });

export const listProjects = operation('workflows.projects.list', {
  method: 'GET',
  path: '/spaces/{spaceId}/projects',
  summary: 'List projects of a space',
  description: 'Each project is listed with its number of workflows. `search` looks in names and descriptions.',
  access: requires('space.see'),
  params: spaceParams,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(project),
  list: 'nullable-links',
});

export const createProject = operation('workflows.projects.create', {
  method: 'POST',
  path: '/spaces/{spaceId}/projects',
  summary: 'Create a project in a space',
  description: 'A project groups workflows of one space; it has no roles of its own. Names need not be unique.',
  access: requires('space.edit'),
  params: spaceParams,
  body: z.strictObject({ name, description: description.optional() }),
  response: project,
  status: 201,
});

export const getProject = operation('workflows.projects.get', {
  method: 'GET',
  path: '/projects/{id}',
  summary: 'Get a project',
  description: 'Includes the number of its workflows. A project in a space without a role of yours is 404.',
  access: requires('space.see'),
  params: idOf('project'),
  response: project,
});

export const updateProject = operation('workflows.projects.update', {
  method: 'PATCH',
  path: '/projects/{id}',
  summary: 'Update a project',
  description:
    'Omitted fields keep their value; null removes the description. A project cannot be moved to another space.',
  access: requires('space.edit'),
  params: idOf('project'),
  body: z.strictObject({ name: name.optional(), description: description.nullable().optional() }),
  response: project,
});

export const deleteProject = operation('workflows.projects.delete', {
  method: 'DELETE',
  path: '/projects/{id}',
  summary: 'Delete a project',
  description: 'Its workflows stay in the space.',
  access: requires('space.edit'),
  params: idOf('project'),
  response: z.null(),
  status: 204,
});
