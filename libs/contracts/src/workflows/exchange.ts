import { z } from 'zod';
import { requires, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { idParams, name, text } from '../kit/fields.js';
import { internalOperation, operation } from '../kit/operation.js';
import { MAX_VERSION_DATA_BYTES } from './versions.js';
import { workflow } from './workflows.js';

/** Where a workflow goes: a space, and a project of it. */
const target = { space: text(255, 1), project: text(255).optional().describe('Id of a project of that space') };

export const copyWorkflow = operation('workflows.workflows.copy', {
  method: 'POST',
  path: '/workflows/{id}/copy',
  summary: 'Copy a workflow; without `space` beside the original',
  access: requires('space.see'),
  additionalPermissions: { 'where it is put': 'space.edit' },
  params: idParams,
  body: z.strictObject({
    space: target.space.optional(),
    project: target.project,
    name: name.optional().describe('Absent is the name of the original and " (copy)"'),
    version_id: text(255, 1).optional().describe('Absent is the latest; the copy begins with this one version'),
  }),
  response: workflow,
  status: 201,
});

export const moveWorkflow = operation('workflows.workflows.move', {
  method: 'POST',
  path: '/workflows/{id}/move',
  summary: 'Move a workflow, with its versions and runs, to another space or project',
  access: requires('space.edit'),
  params: idParams,
  body: z.strictObject({ ...target, project: target.project.nullable() }),
  response: workflow,
});

const place = z.object({
  space: z.uuid(),
  spaceName: z.string(),
  project: z.uuid().nullable(),
  projectName: z.string().nullable(),
});

/** Where a workflow is now: events of two moves may be heard in any order. */
export const getWorkflowLocation = internalOperation('workflows.workflows.place', {
  summary: 'Find the space and project of a workflow',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), workflow: z.uuid() }),
  response: z.object({ place: place.nullable().describe('Null where it was deleted') }),
});

/** A workflow is in another place; its runs go with it. */
export const workflowMoved = event('workflows.workflow.moved', {
  version: 1,
  consumers: ['runs'],
  payload: place.extend({ vault: z.uuid(), workflow: z.uuid() }),
});

export const EXPORT_FORMATS = ['yaml', 'json'] as const;

/** What an exported file holds; import takes it back, and keeps keys of `data` that it does not know. */
export const workflowDocument = z
  .looseObject({
    millrace: z.literal(1).describe('Version of the format'),
    name,
    description: text(2000).nullish(),
    long_description: text(100_000).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish().describe('Where it came from; not read by import'),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'WorkflowDocument' });

export const exportWorkflow = operation('workflows.workflows.export', {
  method: 'GET',
  path: '/workflows/{id}/export',
  summary: 'A workflow as one YAML or JSON file',
  access: requires('space.see'),
  params: idParams,
  query: z.strictObject({
    format: z.enum(EXPORT_FORMATS).default('yaml'),
    version: text(255, 1).default('latest'),
  }),
  response: z.object({
    name: z.string().describe('Of the file'),
    type: z.string().describe('Its media type'),
    content: z.string(),
  }),
  transfer: 'text',
  responseTypes: ['application/yaml', 'application/json'],
});

/** YAML of a version can be longer than its JSON. */
const IMPORT_LIMIT = MAX_VERSION_DATA_BYTES * 2;

export const importWorkflow = operation('workflows.workflows.import', {
  method: 'POST',
  path: '/workflows/import',
  summary: 'Make a workflow of an exported file',
  description:
    'The body is the file itself, as `application/yaml` or as `application/json`; a JSON body `{"yaml": "…"}` holds it as text.',
  access: requires('space.edit'),
  query: z.strictObject({ ...target, name: name.optional().describe('Absent is the name in the file') }),
  body: z.union([z.strictObject({ yaml: z.string() }), workflowDocument]),
  response: workflow,
  status: 201,
  errors: ['not_found', 'payload_too_large'],
  bodyLimit: IMPORT_LIMIT,
  acceptsYaml: true,
});
