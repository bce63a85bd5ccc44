import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { job } from '../kit/job.js';
import { internalOperation } from '../kit/operation.js';
import { signal } from '../kit/signal.js';
import { recipientKey, sealedVariables } from '../workflows/secrets.js';
import { dispatchPayload, inputValue } from './dispatch.js';
import { cancel, heartbeat, logPart, readLog, reportBatch } from './report.js';
import { statusChange } from './runs.js';
import { RUN_STATUSES } from './statuses.js';

/** Hands tasks to whichever worker of the fleet is free. Tried once: the engine alone decides what runs again. */
export const runDispatch = job('runs.dispatch', { queue: 'subjobs-default', payload: dispatchPayload, attempts: 1 });

/**
 * What a worker saw, answered once it is committed; until then the worker keeps it, and says it again where no answer comes.
 * A report that was applied before changes nothing.
 */
export const receiveReports = internalOperation('runs.reports.take', {
  summary: 'Apply what a worker reports',
  access: onlyServices('worker'),
  body: reportBatch,
  response: z.null(),
});

export const heartbeats = signal('worker.heartbeat', { from: ['worker'], to: ['runs'], payload: heartbeat });

export const cancellations = signal('worker.cancel', { from: ['runs'], to: ['worker'], payload: cancel });

/**
 * A run has new status changes, the last of them number `seq`; sent on `<subject>.<run>`. Few come along; of many, or
 * where one was missed, the listener asks.
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

/** Asked of one worker: its id is added to the subject. */
export const readRunningLog = internalOperation('worker.logs.read', {
  summary: 'Read the log of a running step',
  access: onlyServices('gateway'),
  body: readLog,
  response: logPart,
  perInstance: true,
});

/** What a run was given by URL; brought in by a worker before the first step begins. */
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
  summary: 'Say what became of the inputs that a run was given by URL; the run goes on, or fails',
  access: onlyServices('worker'),
  body: z.object({
    run: z.string().regex(/^\d{1,18}$/),
    inputs: z.array(z.object({ primitive: z.string(), value: inputValue })),
    problems: z.array(z.object({ primitive: z.string(), message: z.string() })),
  }),
  response: z.null(),
});

/** The secret variables of what a worker has in hand, and of nothing else; readable by that worker alone. */
export const openVariables = internalOperation('runs.variables.unlock', {
  summary: 'Values of the variables that the version of a dispatch names',
  access: onlyServices('worker'),
  readOnly: true,
  body: z.object({ worker: z.string(), dispatch: z.string(), recipient: recipientKey }),
  response: sealedVariables.extend({
    plain: z.record(z.string(), z.string()).describe('VAULT_NAME, USER_ID and RUN_ID, which are no secrets'),
  }),
});
