import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { sha256 } from './files.js';

export const SANDBOX_STATUSES = ['starting', 'running', 'stopped', 'failed'] as const;
export type SandboxStatus = (typeof SANDBOX_STATUSES)[number];
export const OPEN_SANDBOX_STATUSES = ['starting', 'running'] as const satisfies SandboxStatus[];

/** What one sandbox may hold and say. Sizes in bytes. */
export const SANDBOX_SESSION_LIMITS = {
  fileBytes: 64 * 1024 * 1024,
  /** All files of a workspace together. */
  bytes: 1024 * 1024 * 1024,
  entries: 10_000,
  /** All paths and targets of links of a workspace together, as JSON: they travel in one message. */
  nameBytes: 8 * 1024 * 1024,
  /** All workspaces of one user in a vault together. */
  userBytes: 10 * 1024 * 1024 * 1024,
  /** What one user may have stored into workspaces of a vault in a day (UTC), whatever becomes of it. */
  dayBytes: 20 * 1024 * 1024 * 1024,
  /** Of each stream of a command. */
  outputBytes: 10 * 1024 * 1024,
} as const;

const id = text(64, 1);
/** Chosen by the client for a scratch session without a workflow. */
const agentSession = text(200, 1);
const filePath = text(1024, 1);

export const sandboxSession = z
  .object({
    success: z.boolean(),
    status: z.enum(['none', ...SANDBOX_STATUSES]),
    sessionId: z.string().optional(),
    workflowId: z.string().optional(),
    agentSessionId: z.string().optional(),
    startedAt: timestamp.optional(),
    lastActiveAt: timestamp.optional(),
    expiresAt: timestamp
      .optional()
      .describe('While it is open: when it stops by itself, should nothing happen until then'),
    reason: z.string().optional().describe('Why it stopped or failed'),
  })
  .meta({ id: 'SandboxSession' });

interface Place {
  workflowId?: string | undefined;
  agentSessionId?: string | undefined;
}

const isOnePlace = ({ workflowId, agentSessionId }: Place) =>
  (workflowId === undefined) !== (agentSessionId === undefined);
const ONE_PLACE = { message: 'exactly one of workflowId and agentSessionId is wanted', path: ['workflowId'] };

/** A session of a workflow wants what a run of it does, each time anew. */
const ofWorkflow = { 'for the sandbox of a workflow': 'space.run' } as const;

export const startSandbox = operation('runs.sandboxes.start', {
  method: 'POST',
  path: '/sandbox/session',
  summary: 'Start a sandbox for a workflow or a scratch agent session, or find the one that the caller has there',
  access: anyUser,
  additionalPermissions: ofWorkflow,
  body: z
    .strictObject({ vaultId: id, workflowId: id.optional(), agentSessionId: agentSession.optional() })
    .refine(isOnePlace, ONE_PLACE),
  response: sandboxSession,
  errors: ['not_found'],
});

export const getSandbox = operation('runs.sandboxes.status', {
  method: 'GET',
  path: '/sandbox/status',
  summary: 'What became of the caller’s sandbox; without a workflow or agent session, of the latest one',
  description: 'Where both are given, of the one that is for both; a sandbox is for one of them, so there is `none`.',
  access: anyUser,
  query: z.strictObject({ vaultId: id, workflowId: id.optional(), agentSessionId: agentSession.optional() }),
  response: sandboxSession,
  errors: ['not_found'],
});

export const stopSandbox = operation('runs.sandboxes.stop', {
  method: 'DELETE',
  path: '/sandbox/session',
  summary: 'Stop a sandbox and what runs in it; its files stay. `success` says whether there is such a sandbox',
  description: 'Named by `sessionId`, `agentSessionId` or both; where they name different ones, there is none such.',
  access: anyUser,
  query: z
    .strictObject({ sessionId: id.optional(), agentSessionId: agentSession.optional(), vaultId: id.optional() })
    .refine(({ sessionId, agentSessionId }) => sessionId !== undefined || agentSessionId !== undefined, {
      message: 'sessionId or agentSessionId is wanted',
      path: ['sessionId'],
    }),
  response: z.object({ success: z.boolean() }),
  errors: ['not_found'],
});

/** How a command ended; the last event of its stream. */
export const sandboxExit = z.object({
  code: z.number().int().optional().describe('Absent where a signal ended it'),
  signal: z.string().optional(),
  timed_out: z.boolean(),
  truncated: z.boolean().describe('Whether it printed more than was sent'),
  saved: z.boolean().describe('Whether the workspace is now as the command left it; else it is as it was before'),
  reason: z.string().optional().describe('Why it did not end by itself, or was not saved'),
  duration_ms: z.number().int(),
});
export type SandboxExit = z.infer<typeof sandboxExit>;

export const execInSandbox = operation('runs.sandboxes.exec', {
  method: 'POST',
  path: '/sandbox/exec',
  summary: 'Run a command (bash) in a sandbox; one at a time, and hanging up ends it',
  description:
    'Server-sent events: `stdout` and `stderr` with `{text}` while it runs, then `exit` with `code` or `signal`, ' +
    '`timed_out`, `truncated`, `saved`, `reason` and `duration_ms`.',
  access: anyUser,
  additionalPermissions: ofWorkflow,
  body: z.strictObject({
    sessionId: id,
    command: text(65_536, 1),
    timeout_seconds: z.number().int().min(1).max(3_600).default(60),
  }),
  /** What the gateway goes on with. */
  response: z.object({ session: z.uuid(), exec: z.uuid() }),
  errors: ['not_found', 'rate_limited'],
  transfer: 'events',
});

export const sandboxEntry = z
  .object({
    path: z.string(),
    type: z.enum(['file', 'folder', 'link']).describe('A folder is listed where it is empty'),
    size: z.number().int(),
    executable: z.boolean(),
    target: z.string().optional().describe('Where a link leads'),
    modifiedAt: timestamp,
  })
  .meta({ id: 'SandboxEntry' });

const ofSession = { sessionId: id };
const oneFile = z.strictObject({ ...ofSession, path: filePath });

export const listSandboxFiles = operation('runs.sandboxes.listFiles', {
  method: 'GET',
  path: '/sandbox/files',
  summary: 'Files of a sandbox; with `path` the one there, or those below that folder',
  access: anyUser,
  additionalPermissions: ofWorkflow,
  query: listQuery(['path', 'size', 'modifiedAt'], {
    ordering: 'path',
    filters: { ...ofSession, path: text(1024).default('') },
  }),
  response: pageOf(sandboxEntry),
  list: 'nullable-links',
  errors: ['not_found'],
});

export const readSandboxFile = operation('runs.sandboxes.readFile', {
  method: 'GET',
  path: '/sandbox/files/content',
  summary: 'Content of a file of a sandbox',
  access: anyUser,
  additionalPermissions: ofWorkflow,
  query: oneFile,
  response: z.object({ name: z.string(), sha256, size: z.number().int() }),
  errors: ['not_found'],
  transfer: 'download',
});

export const writeSandboxFile = operation('runs.sandboxes.writeFile', {
  method: 'PUT',
  path: '/sandbox/files/content',
  summary: 'Put a file into a sandbox: the body is its content, of whatever type, up to 64 MiB',
  access: anyUser,
  additionalPermissions: ofWorkflow,
  query: oneFile.extend({ executable: z.enum(['true', 'false']).default('false') }),
  body: z.strictObject({ sha256, size: z.number().int().nonnegative() }),
  response: sandboxEntry,
  errors: ['not_found', 'payload_too_large', 'rate_limited'],
  transfer: 'content',
});

export const deleteSandboxFiles = operation('runs.sandboxes.deleteFiles', {
  method: 'DELETE',
  path: '/sandbox/files',
  summary: 'Delete a file of a sandbox, or a folder with all that is in it; without `path`, all files',
  access: anyUser,
  additionalPermissions: ofWorkflow,
  query: oneFile.extend({ path: text(1024).default('') }),
  response: z.object({ success: z.boolean(), deleted: z.number().int() }),
  errors: ['not_found'],
});
