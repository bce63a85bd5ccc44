import { z } from 'zod';
import { publicAccess, requires, onlyServices } from '../kit/access.js';
import { numericString, queryNumber, idOf } from '../kit/fields.js';
import { listCursor, listQuery, pageWithCursor } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';
import { runParams } from './runs.js';
import { subjobParams } from './subjobs.js';

export const output = z
  .object({
    id: z.string(),
    run: numericString,
    subjob: numericString,
    node: z.string(),
    label: z.string(),
    task_index: z.number().int().optional(),
    name: z.string(),
    size: z.number().int(),
    pretty_size: z.string(),
    format: z.string().describe('Extension of the name, without the dot'),
    path: z.string().describe('Path inside `out/`'),
    sha256: z.string(),
  })
  .meta({ id: 'Output' });

const orderings = ['path', 'size', 'task_index', 'node'];

export const listRunOutputs = operation('runs.outputs.listOfRun', {
  method: 'GET',
  path: '/runs/{id}/outputs',
  summary: 'List outputs of a run',
  description: 'With `named=true`, only its named outputs.',
  access: requires('space.see'),
  params: runParams,
  query: listQuery(orderings, {
    ordering: 'node,task_index,path',
    filters: {
      cursor: listCursor,
      node: z.string().optional().describe('Return only outputs of the node with this name'),
      label: z.string().optional().describe('Return only outputs of nodes with this label'),
      named: z.enum(['true', 'false']).optional().describe('`true` returns only the named outputs of the workflow'),
    },
  }),
  response: pageWithCursor(output),
  list: 'nullable-links',
  tool: {
    name: 'list_outputs',
    guidance:
      'Use `read_output` for the content of one. `millrace://output/<id>` as an input of `run_workflow` passes the file on.',
  },
});

export const listSubjobOutputs = operation('runs.outputs.listOfSubjob', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/outputs',
  summary: 'List outputs of a subjob',
  description: 'For a task group, the outputs of its children. A retry replaces the outputs of earlier attempts.',
  access: requires('space.see'),
  params: subjobParams,
  query: listQuery(orderings, {
    ordering: 'task_index,path',
    filters: {
      cursor: listCursor,
      attempt: queryNumber(1_000_000)
        .optional()
        .describe('Outputs of this attempt, also if a later one replaced them. Defaults to the current outputs'),
    },
  }),
  response: pageWithCursor(output),
  list: 'nullable-links',
});

const content = z.object({ name: z.string(), sha256: z.string(), size: z.number().int() });

export const downloadOutput = operation('runs.outputs.download', {
  method: 'GET',
  path: '/outputs/{id}/download',
  summary: 'Download an output',
  description: 'Supports range requests.',
  access: requires('space.see'),
  params: idOf('output'),
  response: content,
  transfer: 'download',
});

export const archiveOutputs = operation('runs.outputs.archive', {
  method: 'GET',
  path: '/runs/{id}/outputs/archive',
  summary: 'Download the outputs of a run as a zip archive',
  description:
    'Each node has a folder, named after its label, or after the node if the label is not unique; the number of a child is in ' +
    'front: `report/output.txt`, `2-resolve/output.txt`. Files are stored without compression. While the run is under way, the ' +
    'archive has the outputs that exist so far. If something fails after the response has begun, the connection breaks off, and ' +
    'the archive has no end. A run without such outputs is 404.',
  access: requires('space.see'),
  params: runParams,
  query: z.strictObject({
    node: z.string().optional().describe('Return only outputs of the node with this name'),
    label: z.string().optional().describe('Return only outputs of nodes with this label'),
    named: z.enum(['true', 'false']).optional().describe('`true` returns only the named outputs of the workflow'),
    after: z
      .string()
      .max(64)
      .optional()
      .describe('Return only what follows the output with this id in the whole archive'),
  }),
  response: z.object({
    name: z.string().describe('Proposed name of the archive'),
    files: z.array(
      z.object({
        path: z.string().describe('Path inside the archive'),
        sha256: z.string(),
        size: z.number().int(),
        modified: z.number().int().describe('Time of modification, in milliseconds since 1970'),
      }),
    ),
    next: z.string().nullable().describe('Value of `after` for the next part; null at the end'),
  }),
  transfer: 'archive',
});

export const signOutput = operation('runs.outputs.sign', {
  method: 'GET',
  path: '/outputs/{id}/signed-url',
  summary: 'Create a link to an output that works without credentials for 15 minutes',
  description:
    'Anyone with the link can download the output until it expires, and it cannot be revoked. Deleting the run ' +
    'ends it.',
  access: requires('space.see'),
  params: idOf('output'),
  response: z.object({ url: z.string(), expires_at: z.string() }),
});

export const downloadSigned = operation('runs.outputs.downloadSigned', {
  method: 'GET',
  path: '/outputs/{id}/signed',
  summary: 'Download an output by a signed link',
  description:
    'For links that `GET /outputs/{id}/signed-url` has created; needs no credentials. A wrong or expired link is ' +
    '403. Supports range requests.',
  access: publicAccess,
  params: idOf('output'),
  query: z.strictObject({
    expires: z.string().describe('When the link expires, in milliseconds since 1970'),
    signature: z.string().describe('Signature of the link'),
  }),
  response: content,
  errors: ['forbidden'],
  transfer: 'download',
});

/** Maximum number of outputs that one version can refer to: one for each input of a node. */
const MAX_OUTPUT_REFERENCES = 25_000;

export const findReadableOutputs = internalOperation('runs.outputs.findReadable', {
  summary: 'Filter outputs by whether the caller may read them',
  access: onlyServices('workflows'),
  readOnly: true,
  body: z.object({ outputs: z.array(z.string()).max(MAX_OUTPUT_REFERENCES) }),
  response: z.object({ readable: z.array(z.string()) }),
});
