import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { text } from '../kit/fields.js';
import { internalOperation } from '../kit/operation.js';
import { signal } from '../kit/signal.js';
import { sha256 } from './files.js';
import { SANDBOX_SESSION_LIMITS, sandboxExit } from './sandbox.js';

/** A worker that is silent for this long has lost its sessions and commands, in milliseconds. */
export const SANDBOX_LEASE_MS = 8_000;
/** A command whose client is silent for this long is ended, in milliseconds. */
export const WATCH_LEASE_MS = 10_000;

/** An entry of a workspace. Files have `sha256` and `size`, links have `target`. */
export const workspaceEntry = z.object({
  path: text(1024, 1),
  kind: z.enum(['file', 'folder', 'link']),
  sha256: sha256.nullable(),
  size: z.number().int().nonnegative().max(SANDBOX_SESSION_LIMITS.fileBytes),
  executable: z.boolean(),
  target: text(4096, 1).nullable(),
});
export type WorkspaceEntry = z.infer<typeof workspaceEntry>;

const execFields = { session: z.uuid(), exec: z.uuid() };
const workerExecFields = { ...execFields, worker: z.string() };

/** Sent every two seconds by each worker; `slots` is 0 if it cannot isolate. */
export const sandboxHosts = signal('worker.sandboxes', {
  from: ['worker'],
  to: ['runs'],
  payload: z.object({
    worker: z.string(),
    slots: z.number().int().nonnegative(),
    sessions: z.array(z.string()),
    execs: z.array(z.string()),
  }),
});

/** Sessions that the workers must end and discard. */
export const sandboxReleases = signal('runs.sandboxes', {
  from: ['runs'],
  to: ['worker'],
  payload: z.object({
    sessions: z.array(z.string()),
    /** If present, addresses only this worker. */ worker: z.string().optional(),
  }),
});

/** Sent to one worker: whether a client still reads the output of a command. */
export const execWatchChanged = signal('gateway.execs', {
  from: ['gateway'],
  to: ['worker'],
  payload: z.object({ exec: z.string(), watching: z.boolean() }),
});

/** Called on one worker, whose id is appended to the subject, like the next two operations. */
export const openSandbox = internalOperation('worker.sandboxes.open', {
  summary: 'Prepare a sandbox for a session',
  access: onlyServices('runs'),
  body: z.object({ session: z.uuid() }),
  response: z.object({ opened: z.boolean().describe('False if all slots are in use') }),
  perInstance: true,
});

export const beginExec = internalOperation('worker.sandboxes.begin', {
  summary: 'Start a command; a repeated request continues the running one',
  access: onlyServices('gateway'),
  body: z.object({ ...execFields, command: z.string(), timeoutMs: z.number().int().positive() }),
  response: z.object({ accepted: z.boolean().describe('False if all slots are in use') }),
  perInstance: true,
});

export const readExec = internalOperation('worker.sandboxes.read', {
  summary: 'Read the output of a command from an offset, waiting until there is any',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({
    exec: z.uuid(),
    stdout: z.number().int().nonnegative(),
    stderr: z.number().int().nonnegative(),
    waitMs: z.number().int().min(0).max(10_000),
  }),
  /** `stdout` and `stderr` are base64; `exit` is set when everything was read. */
  response: z.object({
    known: z.boolean(),
    stdout: z.string(),
    stderr: z.string(),
    exit: sandboxExit.optional(),
  }),
  perInstance: true,
});

export const admitSandbox = internalOperation('runs.sandboxes.admit', {
  summary: 'Check whether the caller may use a sandbox',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({
    session: z.string(),
    storing: z.boolean().default(false).describe('Whether the request stores a file'),
  }),
  response: z.null(),
});

export const assignExec = internalOperation('runs.sandboxes.place', {
  summary: 'Choose the worker for a command',
  access: onlyServices('gateway'),
  body: z.object({ ...execFields, unlike: z.array(z.string()) }),
  response: z.object({ worker: z.string().nullable() }),
});

export const abandonExec = internalOperation('runs.sandboxes.yield', {
  summary: 'Report that no client waits for a command that no worker has started',
  access: onlyServices('gateway'),
  body: z.object(execFields),
  response: z.null(),
});

/** Grants each command to one worker only, even if several claim it. */
export const claimExec = internalOperation('runs.sandboxes.take', {
  summary: 'Claim a command, and get its files unless the worker has them at `revision`',
  access: onlyServices('worker'),
  body: z.object({ ...workerExecFields, revision: z.number().int().nullable() }),
  response: z.object({
    taken: z.boolean(),
    revision: z.number().int(),
    entries: z.array(workspaceEntry).nullable(),
    /** Number of bytes that the command may store. */
    mayStore: z.number().int().nonnegative(),
  }),
});

export const finishExec = internalOperation('runs.sandboxes.settle', {
  summary: 'Finish a command, saving all of its changes or none',
  access: onlyServices('worker'),
  body: z.object({
    ...workerExecFields,
    changed: z.array(workspaceEntry).max(SANDBOX_SESSION_LIMITS.entries),
    removed: z.array(text(1024, 1)).max(SANDBOX_SESSION_LIMITS.entries),
  }),
  response: z.object({
    saved: z.boolean(),
    problem: z.string().optional(),
    /** Revision of the workspace; null unless the worker has exactly its content. */
    revision: z.number().int().nullable(),
  }),
});
