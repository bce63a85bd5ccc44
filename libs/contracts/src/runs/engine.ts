import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { job } from '../kit/job.js';
import { internalOperation } from '../kit/operation.js';
import { signal } from '../kit/signal.js';
import { recipientKey, sealedVariables } from '../workflows/secrets.js';
import { dispatchPayload, inputValue } from './dispatch.js';
import { logSamples } from './log-samples.js';
import { cancel, heartbeat, logPart, readLog, reportBatch } from './report.js';
import { statusChange } from './runs.js';
import { RUN_STATUSES } from './statuses.js';

/**
 * Dispatches tasks to any free worker of a fleet, each of which has a queue of its own (`dispatchQueue`). It has one attempt,
 * because only the engine decides which tasks run again.
 */
export const runDispatch = job('runs.dispatch', { queue: 'subjobs-default', payload: dispatchPayload, attempts: 1 });

/**
 * Applies reports of a worker and responds after the commit. Without a response the worker sends them again; a report
 * that was already applied changes nothing.
 */
export const receiveReports = internalOperation('runs.reports.take', {
  summary: 'Apply reports of a worker',
  access: onlyServices('worker'),
  body: reportBatch,
  response: z.null(),
});

export const heartbeats = signal('worker.heartbeat', { from: ['worker'], to: ['runs'], payload: heartbeat });

/** The BullMQ queue of a fleet. That of the fleet `default` has the name that all dispatches had before there were fleets. */
export const dispatchQueue = (fleet: string): string => `subjobs-${fleet}`;

/** Whether a worker takes work, as an administrator has decided. Repeated until the heartbeats of the worker show it. */
export const workerOrders = signal('worker.orders', {
  from: ['runs'],
  to: ['worker'],
  payload: z.object({ worker: z.string(), state: z.enum(['active', 'cordoned', 'draining']) }),
});

export const cancellations = signal('worker.cancel', { from: ['runs'], to: ['worker'], payload: cancel });

/**
 * A run has new status changes, the last of them numbered `seq`; sent on `<subject>.<run>`. A few changes are included.
 * Receivers fetch larger sets, and any that they missed.
 */
export const runChanged = signal('runs.changed', {
  from: ['runs'],
  to: ['gateway'],
  payload: z.object({
    run: z.string(),
    seq: z.number().int(),
    changes: z.array(statusChange).nullable(),
    status: z.enum(RUN_STATUSES),
  }),
});

/** Called on one worker, whose id is appended to the subject. */
export const readRunningLog = internalOperation('worker.logs.read', {
  summary: 'Read the log of a running step',
  access: onlyServices('gateway'),
  body: readLog,
  response: logPart,
  perInstance: true,
});

/** Called on one worker, whose id is appended to the subject. */
export const readRunningTimes = internalOperation('worker.logs.times', {
  summary: 'Get when the log of a running step was written',
  access: onlyServices('runs'),
  readOnly: true,
  body: readLog.pick({ run: true, step: true, task: true, stream: true, startedAt: true }),
  response: z.object({ samples: logSamples }),
  perInstance: true,
});

/** Fetches the inputs of a run that are URLs, before its first step starts. */
export const fetchInputs = job('runs.fetchInputs', {
  queue: 'inputs-fetch',
  payload: z.object({
    run: z.string(),
    vault: z.uuid(),
    inputs: z.array(z.object({ primitive: z.string(), type: z.enum(['FILE', 'FOLDER']), url: z.string() })).min(1),
  }),
  attempts: 3,
  backoffMs: 2_000,
});

export const reportInputs = internalOperation('runs.inputs.settle', {
  summary: 'Report the inputs fetched by URL; the run then continues or fails',
  access: onlyServices('worker'),
  body: z.object({
    run: z.string().regex(/^\d{1,18}$/),
    inputs: z.array(z.object({ primitive: z.string(), value: inputValue })),
    problems: z.array(z.object({ primitive: z.string(), message: z.string() })),
  }),
  response: z.null(),
});

/** Returns the secret variables that a dispatch of the worker uses, encrypted for that worker. */
export const openVariables = internalOperation('runs.variables.unlock', {
  summary: 'Get the values of the variables that a dispatch uses',
  access: onlyServices('worker'),
  readOnly: true,
  body: z.object({ worker: z.string(), dispatch: z.string(), recipient: recipientKey }),
  response: sealedVariables.extend({
    plain: z.record(z.string(), z.string()).describe('VAULT_NAME, USER_ID and RUN_ID, which are not secret'),
  }),
});
