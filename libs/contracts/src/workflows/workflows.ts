import { z } from 'zod';
import { anyUser, requires, onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { description, name, queryFlag, text, timestamp, idOf, pathId } from '../kit/fields.js';
import { listQuery, pageOf, pageWithOptionalLinks } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';
import { problem } from './problem.js';
import { schedule } from './schedules.js';
import { storedContent, storedFolder } from './storage.js';

const status = z.string().describe('RUNNING while a run is unfinished, otherwise IDLE');
const scheduleInfo = schedule.nullable().describe('Null if there is no schedule');

export const workflow = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    long_description: z.string().optional().describe('Omitted in lists'),
    space_info: z.string(),
    space_name: z.string(),
    project_info: z.string().optional(),
    project_name: z.string().optional(),
    author: z.string(),
    executing: z.boolean(),
    status,
    last_execution_status: z.string().optional(),
    schedule_info: scheduleInfo,
    latest_version_info: z.string().optional(),
    is_app: z.boolean(),
    has_database: z.boolean(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Workflow' });

const spaceParams = z.strictObject({ spaceId: pathId('space') });
const orderings = ['name', 'created_date', 'modified_date'];
const project = z.string().optional().describe('Return only workflows in the project with this id');

/** States of the schedule of a workflow, for filters. */
export const SCHEDULE_STATES = ['any', 'enabled', 'paused', 'refused'] as const;

const scheduleFilter = z
  .enum(SCHEDULE_STATES)
  .optional()
  .describe(
    'Return only workflows that have a schedule: `any`, one that is `enabled` or `paused`, or an enabled one whose ' +
      'last tick could start no run (`refused`)',
  );

export const listWorkflows = operation('workflows.workflows.list', {
  method: 'GET',
  path: '/workflows',
  summary: 'List workflows in the spaces that you may read',
  description:
    'Each workflow is listed with its status and schedule. Filters can be combined; an unknown space or project ' +
    'gives an empty list. `search` looks in names and descriptions.',
  access: anyUser,
  query: listQuery(orderings, {
    ordering: '-modified_date',
    filters: {
      space: z.string().optional().describe('Return only workflows in the space with this id'),
      project,
      schedule: scheduleFilter,
    },
  }),
  response: pageOf(workflow),
  list: 'nullable-links',
  tool: { name: 'list_workflows', guidance: 'Finds workflows by name. Use `read_workflow` for the steps of one.' },
});

const spaceOfWorkflow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  color: z.string().optional(),
  playground: z.boolean(),
});

export const listVaultWorkflows = operation('workflows.workflows.listInVault', {
  method: 'GET',
  path: '/vault/workflows',
  summary: 'List all workflows of the vault with their spaces',
  description:
    'For administration: lists workflows of all spaces, including those in which you have no role. `search` ' +
    'looks in names and descriptions.',
  access: requires('vault.organize'),
  query: listQuery(orderings, {
    ordering: '-modified_date',
    filters: {
      has_database: queryFlag
        .optional()
        .describe('Return only workflows that fill Live Tables (`true`), or do not (`false`)'),
    },
  }),
  response: pageWithOptionalLinks(workflow.extend({ space: spaceOfWorkflow }).meta({ id: 'VaultWorkflow' })),
  list: 'optional-links',
});

export const listSpaceWorkflows = operation('workflows.workflows.listInSpace', {
  method: 'GET',
  path: '/spaces/{spaceId}/workflows',
  summary: 'List workflows of a space',
  description: 'Each workflow is listed with its status and schedule. `search` looks in names and descriptions.',
  access: requires('space.see'),
  params: spaceParams,
  query: listQuery(orderings, { ordering: '-modified_date', filters: { project } }),
  response: pageOf(workflow),
  list: 'nullable-links',
});

export const createWorkflow = operation('workflows.workflows.create', {
  method: 'POST',
  path: '/spaces/{spaceId}/workflows',
  summary: 'Create a workflow in a space',
  description:
    'The workflow has no version yet and cannot run: save one with `POST /workflows/{id}/versions`. Names need ' +
    'not be unique. A project of another space is 400.',
  access: requires('space.edit'),
  params: spaceParams,
  body: z.strictObject({
    name,
    description: description.optional(),
    project_info: z.string().max(255).optional().describe('Id of a project of this space'),
  }),
  response: workflow,
  status: 201,
});

export const getWorkflow = operation('workflows.workflows.get', {
  method: 'GET',
  path: '/workflows/{id}',
  summary: 'Get a workflow',
  description:
    'Includes its status, its schedule and the id of its latest version. The data of a version is in `GET ' +
    '/workflows/{id}/versions/{versionId}`.',
  access: requires('space.see'),
  params: idOf('workflow'),
  response: workflow,
});

export const updateWorkflow = operation('workflows.workflows.update', {
  method: 'PATCH',
  path: '/workflows/{id}',
  summary: 'Update a workflow',
  description:
    'Omitted fields keep their value; null removes the description or takes the workflow out of its project. A ' +
    'project of another space is 400. Nodes and connections change with a new version.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: z.strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    long_description: text(100_000).optional().describe('Longer text, at most 100,000 characters'),
    project_info: z
      .string()
      .max(255)
      .nullable()
      .optional()
      .describe('Id of a project of the same space; null for none'),
  }),
  response: workflow,
});

export const deleteWorkflow = operation('workflows.workflows.delete', {
  method: 'DELETE',
  path: '/workflows/{id}',
  summary: 'Delete a workflow with its versions',
  description: 'Its runs remain until they are deleted.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  response: z.null(),
  status: 204,
  tool: { name: 'delete_workflow', guidance: 'Ask the user before you delete a workflow.' },
});

export const getWorkflowStatus = operation('workflows.workflows.status', {
  method: 'GET',
  path: '/workflows/{id}/status',
  summary: 'Get the execution status of a workflow',
  description: 'Tells whether a run is unfinished, and how the last run ended.',
  access: requires('space.see'),
  params: idOf('workflow'),
  response: z.looseObject({
    id: z.string(),
    status,
    executing: z.boolean(),
    last_execution_status: z.string().optional(),
    schedule_info: scheduleInfo,
  }),
});

export const validateWorkflow = operation('workflows.workflows.validate', {
  method: 'POST',
  path: '/workflows/{id}/validate',
  summary: 'Validate a version, or unsaved data',
  description: 'Nothing is changed.',
  access: requires('space.see'),
  params: idOf('workflow'),
  body: z.strictObject({
    version_id: z
      .string()
      .max(255)
      .optional()
      .describe('Id of the version to validate; defaults to the latest version'),
    data: z.unknown().optional().describe('Unsaved data to validate instead, in the format of a version'),
  }),
  response: z.looseObject({ errors: z.array(problem), warnings: z.array(problem) }),
  bodyLimit: 10.5 * 1024 * 1024,
});

/**
 * Returns the space of a workflow, for services that store records about it. The caller must be able to read the
 * workflow.
 */
export const locateWorkflow = internalOperation('workflows.workflows.locate', {
  summary: 'Find the space of a workflow',
  access: onlyServices('datasets', 'notifications', 'runs'),
  readOnly: true,
  body: z.object({ workflow: z.string() }),
  response: z.object({ id: z.uuid(), space: z.uuid() }),
});

/** For services that show usage by name long after it happened. */
export const findNames = internalOperation('workflows.names.find', {
  summary: 'Get the names of existing workflows and spaces of a vault',
  access: onlyServices('billing'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), ids: z.array(z.uuid()).max(1_000) }),
  response: z.object({ names: z.record(z.string(), z.string()).describe('Names by id') }),
});

/**
 * Everything that the engine needs to run a workflow: a version with its modules, names to show, and the stored files
 * of the inputs (`millrace://file/<path>`). It is one operation because every run needs all of it.
 */
export const loadForRun = internalOperation('workflows.versions.loadForRun', {
  summary: 'Load a version for a run',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object({
    workflow: z.string(),
    version: z.string().optional().describe('Defaults to the latest version'),
    known: z
      .uuid()
      .optional()
      .describe(
        'Version whose content the caller has cached: `content` is then null, unless the version uses modules, which ' +
          'may change',
      ),
    files: z.array(z.string()).describe('Paths of stored files and folders'),
  }),
  response: z.object({
    workflow: z.object({
      id: z.uuid(),
      name: z.string(),
      space: z.uuid(),
      spaceName: z.string(),
      project: z.uuid().nullable(),
      projectName: z.string().nullable(),
    }),
    version: z.uuid(),
    author: z.uuid().describe('User who saved the version'),
    files: z
      .array(z.union([storedContent, storedFolder, z.object({ problem: z.string() })]))
      .describe('For each path, in the same order: the file or folder, or why there is none'),
    content: z
      .object({
        data: z.unknown(),
        modules: z.record(
          z.string(),
          z.object({
            workflow_id: z.string(),
            data: z.unknown(),
            space: z.uuid(),
            version: z.uuid(),
            author: z.uuid(),
          }),
        ),
      })
      .nullable(),
  }),
});

/**
 * Copies a workflow with its latest version, as part of copying a solution. The caller chooses the id of the copy, so a
 * repeated request creates no second copy, and the copy can be discarded even if the response was lost.
 */
export const copyWorkflowForSolution = internalOperation('workflows.workflows.copyWorkflowForSolution', {
  summary: 'Copy a workflow into a space that the caller may edit',
  access: onlyServices('datasets'),
  body: z.object({
    workflow: z.uuid(),
    copy: z.uuid().describe('Id of the copy'),
    space: z.uuid(),
    project: z.string().optional(),
    name: z.string().optional().describe('Defaults to the name of the workflow'),
  }),
  response: z.object({ id: z.uuid() }),
});

/** Deletes a copy of a workflow if it exists. It deletes nothing except copies. */
export const discardWorkflowCopy = internalOperation('workflows.workflows.discardWorkflowCopy', {
  summary: 'Delete an unused copy of a workflow',
  access: onlyServices('datasets'),
  body: z.object({ vault: z.uuid(), copy: z.uuid() }),
  response: z.null(),
});

/**
 * A workflow was deleted, by itself or with its space. Its consumers delete its reporting nodes, detected tables, followers
 * and sandbox workspaces; runs also records it, because its runs can no longer be repaired.
 */
export const workflowDeleted = event('workflows.workflow.deleted', {
  version: 1,
  consumers: ['datasets', 'notifications', 'runs'],
  payload: z.object({ vault: z.uuid(), workflow: z.uuid() }),
});
