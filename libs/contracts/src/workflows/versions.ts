import { z } from 'zod';
import { requires } from '../kit/access.js';
import { idParams, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { openObject } from '../kit/open-object.js';
import { operation } from '../kit/operation.js';
import { problem } from './problem.js';

const versionFields = {
  id: z.string(),
  workflow_info: z.string(),
  number: z.number().int(),
  name: z.string().optional(),
  description: z.string().optional(),
  snapshot: z.boolean(),
  author: z.string(),
  run_count: z.number().int(),
  created_date: timestamp,
};

export const versionSummary = z.object(versionFields).meta({ id: 'VersionSummary' });
export const version = z.object({ ...versionFields, data: z.record(z.string(), z.unknown()) }).meta({ id: 'Version' });

const savedVersion = version
  .extend({
    warnings: z.array(problem).optional().describe('What hardly does what is meant, such as a misspelt field'),
  })
  .meta({ id: 'SavedVersion' });

/** 10 MiB of data, and room for the fields around it. */
const SAVE_LIMIT = 10.5 * 1024 * 1024;
export const MAX_VERSION_DATA_BYTES = 10 * 1024 * 1024;

const versionParams = z.strictObject({ id: z.string(), versionId: z.string() });

const endpoint = z.looseObject({ id: z.string().min(1) });
const record = z.record(z.string(), z.unknown());

/** The outer shape; what the graph means is validated by libs/graph. Unknown keys are kept and come back. */
export const versionData = z.looseObject({
  nodes: record.optional(),
  connections: z.array(z.looseObject({ source: endpoint, destination: endpoint })).optional(),
  primitiveNodes: record.optional(),
  outputNodes: record.optional(),
  annotations: record.optional(),
  config: record.optional(),
});

export const listVersions = operation('workflows.versions.list', {
  method: 'GET',
  path: '/workflows/{id}/versions',
  summary: 'Versions of a workflow, without their data',
  access: requires('space.see'),
  params: idParams,
  query: listQuery(['number', 'created_date'], { ordering: '-created_date', filters: {} }),
  response: pageOf(versionSummary),
  list: 'nullable-links',
});

export const saveVersion = operation('workflows.versions.save', {
  method: 'POST',
  path: '/workflows/{id}/versions',
  summary: 'Save a version; unchanged data makes no new one',
  description:
    'Versions never change. Where `expected_version_id` is not the latest version, the answer is 409 and nothing is saved; ' +
    '`details` names the latest version (`latest_version_id`), whether it has the data that was sent (`same_data`), and, if ' +
    '`previous_data` came along, the nodes that both sides changed ' +
    '(`changed_nodes`, the first 1,000; `more_changed_nodes` counts the rest). `previous_data` may be as large as `data`. ' +
    'Unknown fields are accepted and ignored, except those that look like a misspelt known field: they are refused.',
  access: requires('space.edit'),
  params: idParams,
  body: openObject({
    data: versionData,
    snapshot: z.boolean().optional(),
    name: text(500).optional(),
    expected_version_id: text(255, 1).optional(),
    previous_data: z.unknown().optional(),
  }),
  response: savedVersion,
  errors: ['version_conflict', 'payload_too_large'],
  bodyLimit: SAVE_LIMIT * 2,
});

export const getVersion = operation('workflows.versions.get', {
  method: 'GET',
  path: '/workflows/{id}/versions/{versionId}',
  summary: 'One version with its data; `latest` is the newest',
  access: requires('space.see'),
  params: versionParams,
  response: version,
});

export const restoreVersion = operation('workflows.versions.restore', {
  method: 'POST',
  path: '/workflows/{id}/versions/{versionId}/restore',
  summary: 'Make a former version the latest again, as a new version',
  description:
    'Versions never change, so this saves its data once more. Where it is the latest already, that is the answer.',
  access: requires('space.edit'),
  params: versionParams,
  body: z.strictObject({ expected_version_id: text(255, 1).optional() }),
  response: version,
  errors: ['version_conflict'],
});

const fieldChange = z.object({
  path: z
    .string()
    .describe(
      'Where in the record, with dots: `inputs.url.value`; a dot or backslash inside of a key has a backslash before it, ' +
        'an empty key is `\\0`, and the path of the whole record is empty',
    ),
  before: z.unknown().optional().describe('Absent where it was not there'),
  after: z.unknown().optional().describe('Absent where it is gone'),
});

/** What differs between two maps of named records. */
const recordChanges = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.object({ name: z.string(), fields: z.array(fieldChange) })),
});

const edge = z.looseObject({
  source: z.looseObject({ id: z.string() }),
  destination: z.looseObject({ id: z.string() }),
});

export const versionDiff = z
  .object({
    from: z.string(),
    to: z.string(),
    same: z.boolean(),
    nodes: recordChanges,
    inputs: recordChanges.describe('Of `primitiveNodes`'),
    outputs: recordChanges.describe('Of `outputNodes`'),
    annotations: recordChanges,
    edges: z.object({
      added: z.array(edge),
      removed: z.array(edge),
      changed: z
        .array(z.object({ source: z.string(), destination: z.string(), fields: z.array(fieldChange) }))
        .describe('Same ends, but something else on the edge differs'),
    }),
    other: z.array(fieldChange).describe('Everything else: `config`, and keys that are not known here'),
  })
  .meta({ id: 'VersionDiff' });

export const diffVersions = operation('workflows.versions.diff', {
  method: 'GET',
  path: '/workflows/{id}/versions/{a}/diff/{b}',
  summary: 'What changed from version `a` to version `b`; each is an id or `latest`',
  access: requires('space.see'),
  params: z.strictObject({ id: z.string(), a: z.string(), b: z.string() }),
  response: versionDiff,
});
