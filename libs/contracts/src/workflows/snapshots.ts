import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { description, idParams, name, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { version } from './versions.js';
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

const snapshotParams = z.strictObject({ id: z.string(), snapshotId: z.string() });
const orderings = ['name', 'created_date', 'modified_date'];

export const listSnapshots = operation('workflows.snapshots.list', {
  method: 'GET',
  path: '/workflows/{id}/snapshots',
  summary: 'List snapshots of a workflow',
  access: requires('space.see'),
  params: idParams,
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
    'snapshot of a name: publishing it again returns the existing snapshot and notifies no user.',
  access: requires('space.edit'),
  params: idParams,
  body: z.strictObject({
    workflow_version_info: text(255, 1),
    name: text(255).optional(),
    description: description.optional(),
  }),
  response: snapshot,
});

export const getSnapshot = operation('workflows.snapshots.get', {
  method: 'GET',
  path: '/workflows/{id}/snapshots/{snapshotId}',
  summary: 'Get a snapshot',
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
  access: requires('space.edit'),
  params: snapshotParams,
  body: z.strictObject({ expected_version_id: text(255, 1).optional() }),
  response: version,
  errors: ['version_conflict'],
});

const publishedParams = z.strictObject({ snapshotId: z.string() });

export const listPublished = operation('workflows.snapshots.listPublished', {
  method: 'GET',
  path: '/library/workflows',
  summary: 'List published snapshots of all spaces of the vault',
  access: anyUser,
  query: listQuery(orderings, { ordering: '-created_date', filters: { space: z.string().optional() } }),
  response: pageOf(snapshot),
  list: 'nullable-links',
});

export const getPublished = operation('workflows.snapshots.getPublished', {
  method: 'GET',
  path: '/library/workflows/{snapshotId}',
  summary: 'Get a published snapshot with the data of its version',
  access: anyUser,
  params: publishedParams,
  response: snapshot.extend({ data: z.record(z.string(), z.unknown()) }).meta({ id: 'PublishedSnapshot' }),
});

export const copyPublished = operation('workflows.snapshots.copy', {
  method: 'POST',
  path: '/library/workflows/{snapshotId}/copy',
  summary: 'Create a workflow from a published snapshot',
  access: requires('space.edit'),
  params: publishedParams,
  body: z.strictObject({
    space: z.string().min(1).max(255),
    project: z.string().max(255).optional(),
    name: name.optional(),
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
