import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { description, name, text, timestamp, idOf, pathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { expectedVersion, version } from './versions.js';
import { workflow } from './workflows.js';

export const snapshot = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    workflow: z.string(),
    workflow_name: z.string(),
    workflow_version_info: z.string(),
    version_number: z.number().int(),
    space_info: z.string(),
    space_name: z.string(),
    author: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Snapshot' });

const snapshotParams = z.strictObject({ id: pathId('workflow'), snapshotId: pathId('snapshot') });
const orderings = ['name', 'created_date', 'modified_date'];

export const listSnapshots = operation('workflows.snapshots.list', {
  method: 'GET',
  path: '/workflows/{id}/snapshots',
  summary: 'List snapshots of a workflow',
  description: 'A snapshot is a version that was published to the library. `search` looks in names and descriptions.',
  access: requires('space.see'),
  params: idOf('workflow'),
  query: listQuery(orderings, { ordering: '-created_date', filters: {} }),
  response: pageOf(snapshot),
  list: 'nullable-links',
});

export const createSnapshot = operation('workflows.snapshots.create', {
  method: 'POST',
  path: '/workflows/{id}/snapshots',
  summary: 'Publish a version to the library',
  description:
    'Without `name`, the snapshot gets the name of the version, or else of the workflow. A version has one ' +
    'snapshot of a name: publishing it again returns the existing snapshot and notifies no user. To make it a module that ' +
    'nodes can use, add it with `POST /library/module`.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: z.strictObject({
    workflow_version_info: text(255, 1).describe('Id of the version to publish, or `latest`'),
    name: text(255).optional().describe('Name of the snapshot, at most 255 characters'),
    description: description.optional(),
  }),
  response: snapshot,
});

export const getSnapshot = operation('workflows.snapshots.get', {
  method: 'GET',
  path: '/workflows/{id}/snapshots/{snapshotId}',
  summary: 'Get a snapshot',
  description: 'Names the published version. Its data is in `GET /library/workflows/{snapshotId}`.',
  access: requires('space.see'),
  params: snapshotParams,
  response: snapshot,
});

export const updateSnapshot = operation('workflows.snapshots.update', {
  method: 'PATCH',
  path: '/workflows/{id}/snapshots/{snapshotId}',
  summary: 'Change the name or description of a snapshot',
  description: 'Snapshots of the same version must have different names.',
  access: requires('space.edit'),
  params: snapshotParams,
  body: z.strictObject({ name: name.optional(), description: description.nullable().optional() }),
  response: snapshot,
});

export const deleteSnapshot = operation('workflows.snapshots.delete', {
  method: 'DELETE',
  path: '/workflows/{id}/snapshots/{snapshotId}',
  summary: 'Remove a snapshot from the library',
  description: 'Its version remains.',
  access: requires('space.edit'),
  params: snapshotParams,
  response: z.null(),
  status: 204,
});

export const restoreSnapshot = operation('workflows.snapshots.restore', {
  method: 'POST',
  path: '/workflows/{id}/snapshots/{snapshotId}/restore',
  summary: 'Save the version of a snapshot again as the latest version',
  description:
    'Creates a new version with the same data. If that is already the latest version, it is returned unchanged. ' +
    'If `expected_version_id` is not the latest version, the response is 409 and nothing is saved.',
  access: requires('space.edit'),
  params: snapshotParams,
  body: z.strictObject({ expected_version_id: expectedVersion }),
  response: version,
  errors: ['version_conflict'],
});

const publishedParams = z.strictObject({ snapshotId: pathId('snapshot') });

export const listPublished = operation('workflows.snapshots.listPublished', {
  method: 'GET',
  path: '/library/workflows',
  summary: 'List published snapshots of all spaces of the vault',
  description:
    'Every member of the vault sees them, whatever their role in the spaces. `search` looks in names and descriptions.',
  access: anyUser,
  query: listQuery(orderings, {
    ordering: '-created_date',
    filters: { space: z.string().optional().describe('Return only snapshots of workflows in the space with this id') },
  }),
  response: pageOf(snapshot),
  list: 'nullable-links',
});

export const getPublished = operation('workflows.snapshots.getPublished', {
  method: 'GET',
  path: '/library/workflows/{snapshotId}',
  summary: 'Get a published snapshot with the data of its version',
  description: 'Every member of the vault may read it, whatever their role in its space.',
  access: anyUser,
  params: publishedParams,
  response: snapshot.extend({ data: z.record(z.string(), z.unknown()) }).meta({ id: 'PublishedSnapshot' }),
});

export const copyPublished = operation('workflows.snapshots.copy', {
  method: 'POST',
  path: '/library/workflows/{snapshotId}/copy',
  summary: 'Create a workflow from a published snapshot',
  description:
    'Every member of the vault may copy a snapshot, whatever their role in its space. The new workflow has one ' +
    'version, with the data of the snapshot, and by default its name.',
  access: requires('space.edit'),
  params: publishedParams,
  body: z.strictObject({
    space: z.string().min(1).max(255).describe('Id of the space of the new workflow'),
    project: z.string().max(255).optional().describe('Id of a project of that space'),
    name: name.optional().describe('Name of the new workflow; defaults to the name of the snapshot'),
  }),
  response: workflow,
  status: 201,
});

/** A version was published to the library. */
export const snapshotPublished = event('workflows.snapshot.published', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({
    snapshot: z.uuid(),
    name: z.string(),
    vault: z.uuid(),
    space: z.uuid(),
    workflow: z.uuid(),
    workflowName: z.string(),
    version: z.uuid(),
    author: z.uuid(),
    at: timestamp.describe('Time of the release'),
  }),
});
