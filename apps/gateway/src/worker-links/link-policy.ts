import { joinedWorkerOf, type WorkerGrant } from '@millrace/contracts/auth/join';
import { healthChecks } from '@millrace/contracts/kit/health';
import { subjectOf } from '@millrace/contracts/kit/operation';
import { operations } from '@millrace/contracts/registry';
import { heartbeats } from '@millrace/contracts/runs/engine';
import { EXECUTOR_LABEL, heartbeat } from '@millrace/contracts/runs/report';
import { sandboxHosts } from '@millrace/contracts/runs/sandbox-hosts';
import type { ClientFrame } from './client-frames.js';

/** Operations that name one worker by the end of their subject. */
const INSTANCE_SUBJECTS = operations
  .filter(({ service, perInstance }) => service === 'worker' && perInstance)
  .map((operation) => `${subjectOf(operation)}.`);

/** Subjects of operations that workers call, whose bodies name the worker. */
const CALLED_SUBJECTS = new Set(
  operations
    .filter(({ access, body }) => access.kind === 'internal' && access.callers.includes('worker') && hasWorker(body))
    .map(subjectOf),
);

const INBOX = '_INBOX_worker.';

/** Signals get no response. Every other message is a request, which the gateway counts by its reply subject, or a response. */
const SUBJECTS_WITHOUT_REPLY = new Set<string>([heartbeats.subject, sandboxHosts.subject]);

/**
 * Why a joined worker may not send a message, in the words of NATS; null if it may, as far as it concerns other workers. NATS
 * itself decides what workers may do at all.
 */
export function findViolation(frame: ClientFrame, grant: WorkerGrant): string | null {
  if (frame.kind === 'subscribe' && !maySubscribe(frame.subject, grant.id))
    return `Permissions Violation for Subscription to "${frame.subject}"`;
  if (frame.kind === 'publish' && !(mayOmitReply(frame) && mayPublish(frame.subject, frame.payload, grant)))
    return `Permissions Violation for Publish to "${frame.subject}"`;
  return null;
}

function maySubscribe(subject: string, id: string): boolean {
  if (subject.startsWith(`${INBOX}${id}.`)) return true;
  if (subject.startsWith('sig.')) return true;
  if (subject === subjectOf(healthChecks.worker)) return true;
  const instance = INSTANCE_SUBJECTS.find((start) => subject.startsWith(start));
  return instance !== undefined && joinedWorkerOf(subject.slice(instance.length)) === id;
}

const mayOmitReply = ({ subject, reply }: { subject: string; reply: string | null }): boolean =>
  reply !== null || SUBJECTS_WITHOUT_REPLY.has(subject) || subject.startsWith('_INBOX');

/** A joined worker acts in its own name only, and offers what its token allowed. */
function mayPublish(subject: string, payload: Buffer, grant: WorkerGrant): boolean {
  if (subject === heartbeats.subject) return isOwnHeartbeat(parse(payload), grant);
  if (subject === sandboxHosts.subject) return isOwn(parse(payload), grant);
  if (!CALLED_SUBJECTS.has(subject)) return true;
  const request = parse(payload) as { data?: { body?: unknown } } | null;
  return isOwn(request?.data?.body, grant);
}

function isOwnHeartbeat(payload: unknown, grant: WorkerGrant): boolean {
  const { data } = heartbeat.safeParse(payload);
  if (!data || !isOwn(data, grant)) return false;
  if (data.replaces !== null && joinedWorkerOf(data.replaces) !== grant.id) return false;
  return (
    data.fleet === grant.fleet &&
    Object.entries(data.labels).every(([name, value]) => name === EXECUTOR_LABEL || grant.labels[name] === value) &&
    data.sizes.every((size) => grant.sizes.includes(size))
  );
}

function isOwn(value: unknown, { id }: WorkerGrant): boolean {
  const worker: unknown = typeof value === 'object' && value !== null ? (value as { worker?: unknown }).worker : null;
  return typeof worker === 'string' && joinedWorkerOf(worker) === id;
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString()) as unknown;
  } catch {
    return null;
  }
}

function hasWorker(body: object): boolean {
  return 'shape' in body && typeof body.shape === 'object' && body.shape !== null && 'worker' in body.shape;
}
