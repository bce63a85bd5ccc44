import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { text } from '../kit/fields.js';
import { internalOperation } from '../kit/operation.js';
import { signal } from '../kit/signal.js';
import { sha256 } from './files.js';
import { SANDBOX_SESSION_LIMITS, sandboxExit } from './sandbox.js';

/** A worker that says nothing for this long has nothing in hand any more, in milliseconds. */
export const SANDBOX_LEASE_MS = 8_000;
/** A command whose reader is not heard of for this long is ended, in milliseconds. */
export const WATCH_LEASE_MS = 10_000;

/** One thing in a workspace. `sha256` and `size` are a file's, `target` a link's. */
export const workspaceEntry = z.object({
  path: text(1024, 1),
  kind: z.enum(['file', 'folder', 'link']),
  sha256: sha256.nullable(),
  size: z.number().int().nonnegative().max(SANDBOX_SESSION_LIMITS.fileBytes),
  executable: z.boolean(),
  target: text(4096, 1).nullable(),
});
export type WorkspaceEntry = z.infer<typeof workspaceEntry>;

const ofExec = { session: z.uuid(), exec: z.uuid() };
const byWorker = { ...ofExec, worker: z.string() };

/** Told every two seconds by each worker; `slots` is 0 where it cannot isolate. */
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

/** Sessions that the workers are to end and forget. */
export const sandboxReleases = signal('runs.sandboxes', {
  from: ['runs'],
  to: ['worker'],
  payload: z.object({
    sessions: z.array(z.string()),
    /** Where given, only at this one. */ worker: z.string().optional(),
  }),
});

/** Told to one worker: whether somebody still reads what a command prints. */
export const execWatchChanged = signal('gateway.execs', {
  from: ['gateway'],
  to: ['worker'],
  payload: z.object({ exec: z.string(), watching: z.boolean() }),
});

/** Asked of one worker: its id is added to the subject. So are the next two. */
export const openSandbox = internalOperation('worker.sandboxes.open', {
  summary: 'Have a sandbox ready for a session',
  access: onlyServices('runs'),
  body: z.object({ session: z.uuid() }),
  response: z.object({ opened: z.boolean().describe('False where all are in use') }),
  perInstance: true,
});

export const beginExec = internalOperation('worker.sandboxes.begin', {
  summary: 'Run a command; asked again, it goes on with the one that runs',
  access: onlyServices('gateway'),
  body: z.object({ ...ofExec, command: z.string(), timeoutMs: z.number().int().positive() }),
  response: z.object({ accepted: z.boolean().describe('False where all are in use') }),
  perInstance: true,
});

export const readExec = internalOperation('worker.sandboxes.read', {
  summary: 'What a command has printed from these bytes on; waits for more than nothing',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({
    exec: z.uuid(),
    stdout: z.number().int().nonnegative(),
    stderr: z.number().int().nonnegative(),
    waitMs: z.number().int().min(0).max(10_000),
  }),
  /** `stdout` and `stderr` are base64; `exit` comes once all was read. */
  response: z.object({
    known: z.boolean(),
    stdout: z.string(),
    stderr: z.string(),
    exit: sandboxExit.optional(),
  }),
  perInstance: true,
});

export const admitSandbox = internalOperation('runs.sandboxes.admit', {
  summary: 'Whether the caller may use a sandbox',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({
    session: z.string(),
    storing: z.boolean().default(false).describe('Whether a file is to be stored for it'),
  }),
  response: z.null(),
});

export const assignExec = internalOperation('runs.sandboxes.place', {
  summary: 'Choose the worker for a command',
  access: onlyServices('gateway'),
  body: z.object({ ...ofExec, unlike: z.array(z.string()) }),
  response: z.object({ worker: z.string().nullable() }),
});

export const abandonExec = internalOperation('runs.sandboxes.yield', {
  summary: 'Say that nobody wants to run a command any more, which no worker has begun',
  access: onlyServices('gateway'),
  body: z.object(ofExec),
  response: z.null(),
});

/** Answers once for each command, whatever is asked twice: from then on it is this worker's. */
export const claimExec = internalOperation('runs.sandboxes.take', {
  summary: 'Begin a command: the files that it finds, where they are not those of `revision`',
  access: onlyServices('worker'),
  body: z.object({ ...byWorker, revision: z.number().int().nullable() }),
  response: z.object({
    taken: z.boolean(),
    revision: z.number().int(),
    entries: z.array(workspaceEntry).nullable(),
    /** How many bytes it may have stored. */
    mayStore: z.number().int().nonnegative(),
  }),
});

export const finishExec = internalOperation('runs.sandboxes.settle', {
  summary: 'End a command: what it changed, all of it or nothing',
  access: onlyServices('worker'),
  body: z.object({
    ...byWorker,
    changed: z.array(workspaceEntry).max(SANDBOX_SESSION_LIMITS.entries),
    removed: z.array(text(1024, 1)).max(SANDBOX_SESSION_LIMITS.entries),
  }),
  response: z.object({
    saved: z.boolean(),
    problem: z.string().optional(),
    /** Of the workspace, where that is now what the worker has. */
    revision: z.number().int().nullable(),
  }),
});
