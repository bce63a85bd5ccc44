import { z } from 'zod';
import { publicAccess, requires, onlyServices } from '../kit/access.js';
import { idParams, numericString } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
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
    format: z.string().describe('Ending of the name, without the dot'),
    path: z.string().describe('Inside `out/`'),
    sha256: z.string(),
  })
  .meta({ id: 'Output' });

const orderings = ['path', 'size', 'task_index', 'node'];

export const listRunOutputs = operation('runs.outputs.listOfRun', {
  method: 'GET',
  path: '/runs/{id}/outputs',
  summary: 'Outputs of a run; with `named` only those of its named outputs',
  access: requires('space.see'),
  params: runParams,
  query: listQuery(orderings, {
    ordering: 'node,task_index,path',
    filters: {
      node: z.string().optional(),
      label: z.string().optional(),
      named: z.enum(['true', 'false']).optional(),
    },
  }),
  response: pageOf(output),
  list: 'nullable-links',
});

export const listSubjobOutputs = operation('runs.outputs.listOfSubjob', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/outputs',
  summary: "Outputs of a subjob; of a task group, its children's",
  access: requires('space.see'),
  params: subjobParams,
  query: listQuery(orderings, { ordering: 'task_index,path', filters: {} }),
  response: pageOf(output),
  list: 'nullable-links',
});

const content = z.object({ name: z.string(), sha256: z.string(), size: z.number().int() });

export const downloadOutput = operation('runs.outputs.download', {
  method: 'GET',
  path: '/outputs/{id}/download',
  summary: 'Contents of an output; answers range requests',
  access: requires('space.see'),
  params: idParams,
  response: content,
  transfer: 'download',
});

export const signOutput = operation('runs.outputs.sign', {
  method: 'GET',
  path: '/outputs/{id}/signed-url',
  summary: 'A link to an output that works without a token for 15 minutes',
  access: requires('space.see'),
  params: idParams,
  response: z.object({ url: z.string(), expires_at: z.string() }),
});

export const downloadSigned = operation('runs.outputs.downloadSigned', {
  method: 'GET',
  path: '/outputs/{id}/signed',
  summary: 'Contents of an output, by a signed link',
  access: publicAccess,
  params: idParams,
  query: z.strictObject({ expires: z.string(), signature: z.string() }),
  response: content,
  errors: ['forbidden'],
  transfer: 'download',
});

/** Most outputs that one version can name: one for each input of a node. */
const MAX_NAMED = 25_000;

export const findReadableOutputs = internalOperation('runs.outputs.findReadable', {
  summary: 'Find which of some outputs the caller may read',
  access: onlyServices('workflows'),
  readOnly: true,
  body: z.object({ outputs: z.array(z.string()).max(MAX_NAMED) }),
  response: z.object({ readable: z.array(z.string()) }),
});
