import { z } from 'zod';
import { requires, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { name, text, idOf } from '../kit/fields.js';
import { internalOperation, operation } from '../kit/operation.js';
import { MAX_VERSION_DATA_BYTES } from './versions.js';
import { workflow } from './workflows.js';

/** The target of a workflow: a space, and optionally a project of that space. */
const target = {
  space: text(255, 1).describe('Id of the target space'),
  project: text(255).optional().describe('Id of a project of that space'),
};

export const copyWorkflow = operation('workflows.workflows.copy', {
  method: 'POST',
  path: '/workflows/{id}/copy',
  summary: 'Copy a workflow',
  description: 'Without `space`, the copy is in the space and project of the original.',
  access: requires('space.see'),
  additionalPermissions: { 'in the target space': 'space.edit' },
  params: idOf('workflow'),
  body: z.strictObject({
    space: target.space.optional(),
    project: target.project,
    name: name.optional().describe('Defaults to the name of the original with " (copy)" appended'),
    version_id: text(255, 1)
      .optional()
      .describe('Defaults to the latest version; the copy starts with this version only'),
  }),
  response: workflow,
  status: 201,
});

export const moveWorkflow = operation('workflows.workflows.move', {
  method: 'POST',
  path: '/workflows/{id}/move',
  summary: 'Move a workflow with its versions and runs to another space or project',
  description:
    'Without `project`, the workflow is in no project of the target. You must be able to edit both spaces. If ' +
    'its latest version names files or outputs that you may not read, the response is 400.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: z.strictObject({ ...target, project: target.project.nullable() }),
  response: workflow,
});

const place = z.object({
  space: z.uuid(),
  spaceName: z.string(),
  project: z.uuid().nullable(),
  projectName: z.string().nullable(),
});

/** The current location of a workflow. Events of two moves may arrive in any order, so consumers call this. */
export const getWorkflowLocation = internalOperation('workflows.workflows.place', {
  summary: 'Find the space and project of a workflow',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), workflow: z.uuid() }),
  response: z.object({ place: place.nullable().describe('Null if the workflow was deleted') }),
});

/** A workflow was moved; its runs move with it. */
export const workflowMoved = event('workflows.workflow.moved', {
  version: 1,
  consumers: ['runs'],
  payload: place.extend({ vault: z.uuid(), workflow: z.uuid() }),
});

export const EXPORT_FORMATS = ['yaml', 'json'] as const;

/** The content of an exported file. Import accepts it and keeps unknown keys of `data`. */
export const workflowDocument = z
  .looseObject({
    millrace: z.literal(1).describe('Version of the format'),
    name,
    description: text(2000).nullish().describe('Description as plain text, at most 2,000 characters'),
    long_description: text(100_000).nullish().describe('Longer text, at most 100,000 characters'),
    metadata: z.record(z.string(), z.unknown()).nullish().describe('Origin of the workflow; ignored by import'),
    data: z.record(z.string(), z.unknown()).describe('The workflow, in the format of a version'),
  })
  .meta({ id: 'WorkflowDocument' });

export const exportWorkflow = operation('workflows.workflows.export', {
  method: 'GET',
  path: '/workflows/{id}/export',
  summary: 'Export a workflow as a YAML or JSON file',
  description:
    'The file contains the name, the descriptions and the data of one version, and can be imported with `POST ' +
    '/workflows/import`. Values of secret variables are not part of it. A workflow without a version is 404.',
  access: requires('space.see'),
  params: idOf('workflow'),
  query: z.strictObject({
    format: z.enum(EXPORT_FORMATS).default('yaml').describe('Format of the file'),
    version: text(255, 1).default('latest').describe('Id of the version, or `latest`'),
    form: z
      .enum(['full', 'compact'])
      .default('full')
      .describe(
        '`compact` writes connections as `{from: a-1/file, to: b-1/file}`, and nodes that were copied from library ' +
          'modules as `uses`, `module_version` and what was changed. Every import accepts both forms',
      ),
  }),
  response: z.object({
    name: z.string().describe('File name'),
    type: z.string().describe('Media type of the file'),
    content: z.string(),
  }),
  transfer: 'text',
  responseTypes: ['application/yaml', 'application/json'],
});

/** The YAML of a version can be longer than its JSON. */
const MAX_IMPORT_BYTES = MAX_VERSION_DATA_BYTES * 2;

export const importWorkflow = operation('workflows.workflows.import', {
  method: 'POST',
  path: '/workflows/import',
  summary: 'Create a workflow from an exported file',
  description:
    'The body is the file, as `application/yaml` or `application/json`. A JSON body `{"yaml": "…"}` contains the ' +
    'file as text. If the data of a file in YAML can never run, `details.errors` lists each problem with its line in ' +
    'the file.',
  access: requires('space.edit'),
  query: z.strictObject({ ...target, name: name.optional().describe('Defaults to the name in the file') }),
  body: z.union([z.strictObject({ yaml: z.string().describe('The file as text, in YAML or JSON') }), workflowDocument]),
  response: workflow,
  status: 201,
  errors: ['not_found', 'payload_too_large'],
  bodyLimit: MAX_IMPORT_BYTES,
  acceptsYaml: true,
});
