import { z } from 'zod';
import { requires } from '../kit/access.js';
import { idOf, text } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { problem } from './problem.js';
import { versionSummary } from './versions.js';

/** YAML is longer than the JSON of the same data. */
const MAX_FILE_BYTES = 21 * 1024 * 1024;

const yaml = z
  .string()
  .min(1, 'must not be empty')
  .describe(
    'A workflow file as text: `name`, `description` and `data`, as `GET /workflows/{id}/export` returns it, in full or in its ' +
      'compact form. A connection may be `{from: a-1/file, to: b-1/file}`. The key `workflow` may replace `data`; the key ' +
      '`execute` is for the command line and ignored',
  );

/** A problem with its position in the text of the file. */
export const fileProblem = problem
  .extend({
    line: z.int().optional().describe('Line of the file, from 1'),
    column: z.int().optional().describe('Column in that line, from 1'),
  })
  .meta({ id: 'FileProblem' });

export const validateWorkflowFile = operation('workflows.versions.validateFile', {
  method: 'POST',
  path: '/workflows/validate-file',
  summary: 'Validate a workflow file',
  description:
    'Nothing is changed. Each problem has its line in the file. A file that is not YAML, or not a workflow file, is refused ' +
    'with 400.',
  access: requires('space.see'),
  body: z
    .strictObject({
      yaml,
      workflow: text(255, 1).optional().describe('The workflow that the file is meant for'),
      space: text(255, 1).optional().describe('For a new workflow: the space in which it will be'),
    })
    .refine(({ workflow, space }) => (workflow === undefined) !== (space === undefined), {
      message: 'must be given, or `space`, but not both',
      path: ['workflow'],
    }),
  response: z.object({
    name: z.string().describe('Name of the workflow in the file'),
    errors: z.array(fileProblem),
    warnings: z.array(fileProblem),
  }),
  errors: ['not_found', 'payload_too_large'],
  bodyLimit: MAX_FILE_BYTES,
});

export const saveWorkflowFile = operation('workflows.versions.saveFile', {
  method: 'POST',
  path: '/workflows/{id}/versions/file',
  summary: 'Save a new version of a workflow from a workflow file',
  description:
    'Like `POST /workflows/{id}/versions`, with the data as YAML. Name and description of the workflow stay as they are. If the ' +
    'data can never run, nothing is saved, and `details.errors` lists each problem with its line in the file.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: z.strictObject({
    yaml,
    expected_version_id: text(255, 1)
      .optional()
      .describe(
        'The latest version, of which the file is an edited copy; if another one was saved since, the response is 409',
      ),
    snapshot: z.boolean().optional().describe('`true` also publishes the version to the library'),
    name: text(500).optional().describe('Name of the version'),
  }),
  response: versionSummary
    .extend({
      errors: z.array(fileProblem).describe('What a run would refuse, and a draft may have'),
      warnings: z.array(fileProblem).describe('Likely mistakes'),
    })
    .meta({ id: 'SavedFile' }),
  errors: ['version_conflict', 'payload_too_large'],
  bodyLimit: MAX_FILE_BYTES,
});
