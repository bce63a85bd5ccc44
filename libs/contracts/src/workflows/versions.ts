import { z } from 'zod';
import { onlyServices, requires } from '../kit/access.js';
import { text, timestamp, idOf, pathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { openObject } from '../kit/open-object.js';
import { internalOperation, operation } from '../kit/operation.js';
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
    warnings: z.array(problem).optional().describe('Likely mistakes, such as a misspelt field in `data`'),
  })
  .meta({ id: 'SavedVersion' });

/** 10 MiB of data, plus room for the other fields. */
const MAX_SAVE_BYTES = 10.5 * 1024 * 1024;
export const MAX_VERSION_DATA_BYTES = 10 * 1024 * 1024;

/** Detects that another user has saved a version in the meantime. */
export const expectedVersion = text(255, 1)
  .optional()
  .describe('Id of the version that you expect to be the latest one; if it is not, nothing is saved');

const versionParams = z.strictObject({
  id: pathId('workflow'),
  versionId: z.string().describe('Id of the version, or `latest`'),
});

const endpoint = z.looseObject({ id: z.string().min(1).describe('Node and port, such as `grep-1/file`') });
const record = z.record(z.string(), z.unknown());

/** The outer shape of a workflow; libs/graph validates its meaning. Unknown keys are preserved. */
export const versionData = z.looseObject({
  nodes: record.optional().describe('Nodes by name'),
  connections: z
    .array(
      z.looseObject({
        source: endpoint.describe('Where the connection starts'),
        destination: endpoint.describe('Where the connection ends'),
      }),
    )
    .optional()
    .describe('Connections between nodes, inputs and outputs'),
  primitiveNodes: record.optional().describe('Inputs of the workflow by id'),
  outputNodes: record.optional().describe('Outputs in the editor by id; a run ignores them'),
  annotations: record.optional().describe('Notes in the editor; a run ignores them'),
  config: record.optional().describe('Settings of the editor; a run ignores them'),
});

export const listVersions = operation('workflows.versions.list', {
  method: 'GET',
  path: '/workflows/{id}/versions',
  summary: 'List versions of a workflow, without their data',
  description: 'Version numbers count from 1 for each workflow. `search` looks in names and descriptions of versions.',
  access: requires('space.see'),
  params: idOf('workflow'),
  query: listQuery(['number', 'created_date'], { ordering: '-created_date', filters: {} }),
  response: pageOf(versionSummary),
  list: 'nullable-links',
  tool: {
    name: 'list_workflow_versions',
    guidance: 'Use `diff_workflow_versions` to see what changed between two of them.',
  },
});

export const saveVersion = operation('workflows.versions.save', {
  method: 'POST',
  path: '/workflows/{id}/versions',
  summary: 'Save a new version of a workflow',
  description:
    'Versions never change, and unchanged data creates no new version. If `expected_version_id` is not the latest ' +
    'version, the response is 409 and nothing is saved. Its `details` contain the latest version ' +
    '(`latest_version_id`), whether that version has the same data (`same_data`), and, if the request has ' +
    '`previous_data`, the nodes that both sides changed (`changed_nodes`, the first 1,000; `more_changed_nodes` ' +
    'counts the rest). `previous_data` may be as large as `data`. Unknown fields beside `data` are ignored, except those ' +
    'that look like a misspelt known field: they are rejected. A field in `data` that looks misspelt is stored, has no ' +
    'effect, and gives a warning.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: openObject({
    data: versionData.describe('The workflow; see docs/reference/workflow-data.md. At most 10 MiB as JSON'),
    snapshot: z.boolean().optional().describe('`true` also publishes the version to the library'),
    name: text(500).optional().describe('Name of the version, at most 500 characters'),
    expected_version_id: expectedVersion,
    previous_data: z
      .unknown()
      .optional()
      .describe(
        'The data that the changes started from; names the nodes that both sides changed if the response is 409',
      ),
  }),
  response: savedVersion,
  errors: ['version_conflict', 'payload_too_large'],
  bodyLimit: MAX_SAVE_BYTES * 2,
});

export const getVersion = operation('workflows.versions.get', {
  method: 'GET',
  path: '/workflows/{id}/versions/{versionId}',
  summary: 'Get a version with its data',
  description: '`latest` as `versionId` is the latest version.',
  access: requires('space.see'),
  params: versionParams,
  response: version,
});

export const restoreVersion = operation('workflows.versions.restore', {
  method: 'POST',
  path: '/workflows/{id}/versions/{versionId}/restore',
  summary: 'Save an earlier version again as the latest version',
  description:
    'Versions never change, so this creates a new version with the same data. If the version is already the ' +
    'latest, it is returned unchanged.',
  access: requires('space.edit'),
  params: versionParams,
  body: z.strictObject({ expected_version_id: expectedVersion }),
  response: version,
  errors: ['version_conflict'],
});

const fieldChange = z.object({
  path: z
    .string()
    .describe(
      'Path in the record, separated by dots: `inputs.url.value`. A dot or backslash within a key is escaped by a ' +
        'backslash, an empty key is `\\0`, and the path of the whole record is empty',
    ),
  before: z.unknown().optional().describe('Absent if the field was added'),
  after: z.unknown().optional().describe('Absent if the field was removed'),
});

/** The difference between two maps of named records. */
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
    inputs: recordChanges.describe('Changes of `primitiveNodes`'),
    outputs: recordChanges.describe('Changes of `outputNodes`'),
    annotations: recordChanges,
    edges: z.object({
      added: z.array(edge),
      removed: z.array(edge),
      changed: z
        .array(z.object({ source: z.string(), destination: z.string(), fields: z.array(fieldChange) }))
        .describe('Edges with the same ends whose other fields differ'),
    }),
    other: z.array(fieldChange).describe('Everything else: `config` and unknown keys'),
  })
  .meta({ id: 'VersionDiff' });

export const diffVersions = operation('workflows.versions.diff', {
  method: 'GET',
  path: '/workflows/{id}/versions/{a}/diff/{b}',
  summary: 'Compare two versions of a workflow',
  description: '`a` and `b` are version ids or `latest`; the result lists the changes from `a` to `b`.',
  access: requires('space.see'),
  params: z.strictObject({
    id: pathId('workflow'),
    a: z.string().describe('Id of the version to compare from, or `latest`'),
    b: z.string().describe('Id of the version to compare with, or `latest`'),
  }),
  response: versionDiff,
  tool: {
    name: 'diff_workflow_versions',
    guidance: 'Name the older version first.',
    arguments: { a: 'from_version_id', b: 'to_version_id' },
  },
});

/** What differs between two versions, in a bounded length. */
export const versionDiffSummary = z.object({
  same: z.boolean().describe('Whether nodes, connections and everything else are the same'),
  nodes: z.object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    changed: z.array(z.object({ name: z.string(), fields: z.array(z.string()).describe('Paths, as in the diff') })),
  }),
  more: z.number().int().describe('Number of nodes that are left out because of the length; the diff has all'),
  edges: z.number().int().describe('Number of connections that were added, removed or changed'),
});

/** For a comparison of runs. */
export const summarizeDiff = internalOperation('workflows.versions.summarizeDiff', {
  summary: 'Get the nodes and fields that differ between two versions of a workflow',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object({ workflow: z.uuid(), a: z.uuid(), b: z.uuid() }),
  response: versionDiffSummary,
});
