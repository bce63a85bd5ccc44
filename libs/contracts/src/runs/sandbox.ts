import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { success, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { sha256 } from './files.js';

export const SANDBOX_STATUSES = ['starting', 'running', 'stopped', 'failed'] as const;
export type SandboxStatus = (typeof SANDBOX_STATUSES)[number];
export const OPEN_SANDBOX_STATUSES = ['starting', 'running'] as const satisfies SandboxStatus[];

/** Limits of a sandbox. Sizes are in bytes. */
export const SANDBOX_SESSION_LIMITS = {
  fileBytes: 64 * 1024 * 1024,
  /** All files of a workspace together. */
  bytes: 1024 * 1024 * 1024,
  entries: 10_000,
  /** All paths and link targets of a workspace together, as JSON, because one message carries them. */
  nameBytes: 8 * 1024 * 1024,
  /** All workspaces of one user in a vault together. */
  userBytes: 10 * 1024 * 1024 * 1024,
  /** Bytes that one user may store into workspaces of a vault per day (UTC), including those deleted since. */
  dayBytes: 20 * 1024 * 1024 * 1024,
  /** Each output stream of a command. */
  outputBytes: 10 * 1024 * 1024,
} as const;

const vaultId = text(64, 1).describe('Id of your vault; any other is 404');
const workflowId = text(64, 1).describe('Id of the workflow that the sandbox belongs to');
const sessionId = text(64, 1).describe('Id of the session of the sandbox');
/** Id chosen by the client, for a scratch session without a workflow. */
const agentSession = text(200, 1).describe('Id of an agent session without a workflow, chosen by the client');
const filePath = text(1024, 1).describe('Path of the file from the top of the workspace');

export const sandboxSession = z
  .object({
    success: z.boolean(),
    status: z.enum(['none', ...SANDBOX_STATUSES]),
    sessionId: z.string().optional(),
    workflowId: z.string().optional(),
    agentSessionId: z.string().optional(),
    startedAt: timestamp.optional(),
    lastActiveAt: timestamp.optional(),
    expiresAt: timestamp.optional().describe('While open: when it stops automatically if it is not used until then'),
    reason: z.string().optional().describe('Why it stopped or failed'),
  })
  .meta({ id: 'SandboxSession' });

interface SandboxOwner {
  workflowId?: string | undefined;
  agentSessionId?: string | undefined;
}

const hasOneOwner = ({ workflowId, agentSessionId }: SandboxOwner) =>
  (workflowId === undefined) !== (agentSessionId === undefined);
const ONE_OWNER_REQUIRED = { message: 'must be given, or `agentSessionId`, but not both', path: ['workflowId'] };

/** The sandbox of a workflow requires the permission to run the workflow, checked on every request. */
const workflowPermission = { 'for the sandbox of a workflow': 'space.run' } as const;

export const startSandbox = operation('runs.sandboxes.start', {
  method: 'POST',
  path: '/sandbox/session',
  summary: 'Start a sandbox for a workflow or a scratch agent session',
  description: 'Returns your open sandbox if there is one.',
  access: anyUser,
  additionalPermissions: workflowPermission,
  body: z
    .strictObject({ vaultId, workflowId: workflowId.optional(), agentSessionId: agentSession.optional() })
    .refine(hasOneOwner, ONE_OWNER_REQUIRED),
  response: sandboxSession,
  errors: ['not_found'],
});

export const getSandbox = operation('runs.sandboxes.status', {
  method: 'GET',
  path: '/sandbox/status',
  summary: 'Get the state of your sandbox',
  description:
    'Without `workflowId` and `agentSessionId`, the latest one. A sandbox belongs to a workflow or to an agent ' +
    'session, so giving both returns the status `none`.',
  access: anyUser,
  query: z.strictObject({ vaultId, workflowId: workflowId.optional(), agentSessionId: agentSession.optional() }),
  response: sandboxSession,
  errors: ['not_found'],
});

export const stopSandbox = operation('runs.sandboxes.stop', {
  method: 'DELETE',
  path: '/sandbox/session',
  summary: 'Stop a sandbox and its commands',
  description:
    'Its files remain. `success` tells whether there was such a sandbox. `sessionId` and `agentSessionId` must ' +
    'refer to the same sandbox if both are given.',
  access: anyUser,
  query: z
    .strictObject({
      sessionId: sessionId.optional(),
      agentSessionId: agentSession.optional(),
      vaultId: vaultId.optional(),
    })
    .refine(({ sessionId, agentSessionId }) => sessionId !== undefined || agentSessionId !== undefined, {
      message: 'is required unless `agentSessionId` is given',
      path: ['sessionId'],
    }),
  response: success,
  errors: ['not_found'],
  tool: { name: 'stop_sandbox', arguments: { agentSessionId: 'session' } },
});

/** The end of a command, as the last event of its stream. */
export const sandboxExit = z.object({
  code: z.number().int().optional().describe('Absent if a signal ended it'),
  signal: z.string().optional(),
  timed_out: z.boolean(),
  truncated: z.boolean().describe('Whether it printed more than was sent'),
  saved: z.boolean().describe('Whether the workspace has the changes of the command; otherwise it is unchanged'),
  reason: z.string().optional().describe('Why it did not end by itself, or was not saved'),
  duration_ms: z.number().int(),
});
export type SandboxExit = z.infer<typeof sandboxExit>;

export const execInSandbox = operation('runs.sandboxes.exec', {
  method: 'POST',
  path: '/sandbox/exec',
  summary: 'Run a command (bash) in a sandbox',
  description:
    'One command runs at a time; closing the connection ends it. The response is a stream of server-sent events: ' +
    '`stdout` and `stderr` with `{text}` while it runs, then `exit` with `code` or `signal`, `timed_out`, ' +
    '`truncated`, `saved`, `reason` and `duration_ms`.',
  access: anyUser,
  additionalPermissions: workflowPermission,
  body: z.strictObject({
    sessionId,
    command: text(65_536, 1).describe('Source for bash, at most 65,536 characters'),
    timeout_seconds: z
      .number()
      .int()
      .min(1)
      .max(3_600)
      .default(60)
      .describe('Seconds after which the command is ended'),
  }),
  /** For the gateway, which continues the request. */
  response: z.object({ session: z.uuid(), exec: z.uuid() }),
  errors: ['not_found', 'rate_limited'],
  transfer: 'events',
});

export const sandboxEntry = z
  .object({
    path: z.string(),
    type: z.enum(['file', 'folder', 'link']).describe('A folder is listed only if it is empty'),
    size: z.number().int(),
    executable: z.boolean(),
    target: z.string().optional().describe('Target of a link'),
    modifiedAt: timestamp,
  })
  .meta({ id: 'SandboxEntry' });

const fileOrFolder = text(1024)
  .default('')
  .describe('Path of a file, or of a folder with everything below it; empty for all');
const sessionFields = { sessionId };
const fileQuery = z.strictObject({ ...sessionFields, path: filePath });

export const listSandboxFiles = operation('runs.sandboxes.listFiles', {
  method: 'GET',
  path: '/sandbox/files',
  summary: 'List files of a sandbox',
  description: 'With `path`, only the file at that path or the files below that folder.',
  access: anyUser,
  additionalPermissions: workflowPermission,
  query: listQuery(['path', 'size', 'modifiedAt'], {
    ordering: 'path',
    filters: { ...sessionFields, path: fileOrFolder },
  }),
  response: pageOf(sandboxEntry),
  list: 'nullable-links',
  errors: ['not_found'],
  tool: { name: 'list_sandbox_files', guidance: '`run_sandbox_command` returns the `session_id`.' },
});

export const readSandboxFile = operation('runs.sandboxes.readFile', {
  method: 'GET',
  path: '/sandbox/files/content',
  summary: 'Download a file of a sandbox',
  description:
    'Reads the workspace as the last command or upload left it. A folder or an unknown path is 404. Supports ' +
    'range requests.',
  access: anyUser,
  additionalPermissions: workflowPermission,
  query: fileQuery,
  response: z.object({ name: z.string(), sha256, size: z.number().int() }),
  errors: ['not_found'],
  transfer: 'download',
});

export const writeSandboxFile = operation('runs.sandboxes.writeFile', {
  method: 'PUT',
  path: '/sandbox/files/content',
  summary: 'Write a file into a sandbox',
  description: 'The body is the content, with any content type, up to 64 MiB.',
  access: anyUser,
  additionalPermissions: workflowPermission,
  query: fileQuery.extend({
    executable: z.enum(['true', 'false']).default('false').describe('Whether the file can be executed'),
  }),
  body: z.strictObject({ sha256, size: z.number().int().nonnegative() }),
  response: sandboxEntry,
  errors: ['not_found', 'payload_too_large', 'rate_limited'],
  transfer: 'content',
});

export const deleteSandboxFiles = operation('runs.sandboxes.deleteFiles', {
  method: 'DELETE',
  path: '/sandbox/files',
  summary: 'Delete a file or folder of a sandbox',
  description: 'Without `path`, deletes all files.',
  access: anyUser,
  additionalPermissions: workflowPermission,
  query: fileQuery.extend({ path: fileOrFolder }),
  response: z.object({ success: z.boolean(), deleted: z.number().int() }),
  errors: ['not_found'],
});
