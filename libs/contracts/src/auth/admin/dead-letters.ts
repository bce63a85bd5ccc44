import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { timestamp, timestampInput } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';
import { SERVICES } from '../../kit/service-name.js';

/** Most dead letters that one request retries or drops. */
export const MAX_DEAD_LETTERS = 5_000;

export const deadLetter = z
  .object({
    id: z.string(),
    kind: z.enum(['event', 'job']),
    service: z.string().describe('Service that handles the event or processes the job'),
    name: z.string().describe('Name of the event or the job'),
    queue: z.string().describe('Queue of the job, or consumer of the event'),
    message: z.string().describe('Id of the event or the job'),
    error: z.string().describe('The last failure'),
    attempts: z.number().int(),
    payload: z
      .record(z.string(), z.string())
      .describe('The fields of the payload. Only ids, numbers and flags are shown; a text is shown by its length'),
    failed_date: timestamp.describe('When the last attempt failed'),
    retrying: z.boolean().describe('Whether it is about to be handled again'),
  })
  .meta({ id: 'DeadLetter' });

const filters = {
  kind: z.enum(['event', 'job']).optional().describe('Only events, or only jobs'),
  service: z.enum(SERVICES).optional().describe('Only those of this service'),
  name: z.string().min(1).max(255).optional().describe('Only events or jobs with this name'),
  before: timestampInput.optional().describe('Only those whose last attempt failed before this time'),
};

export const listDeadLetters = operation('auth.deadLetters.list', {
  method: 'GET',
  path: '/admin/dead-letters',
  summary: 'List events and jobs that failed for good',
  description:
    'A job is listed after its last attempt, an event after `EVENT_MAX_DELIVERIES` deliveries. They are deleted after ' +
    '`DEAD_LETTER_RETENTION_DAYS`. `search` looks in names and errors.',
  access: instanceAdmin,
  query: listQuery(['failed_date'], { ordering: '-failed_date', filters }),
  response: pageOf(deadLetter),
  list: 'nullable-links',
});

const chosen = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(MAX_DEAD_LETTERS).optional().describe('Ids of the dead letters'),
  ...filters,
});

const changed = z.object({
  changed: z.number().int().describe('Number of dead letters that this request changed'),
  remaining: z.number().int().describe('Number of others that match, because one request changes at most 5,000'),
});

export const retryDeadLetters = operation('auth.deadLetters.retry', {
  method: 'POST',
  path: '/admin/dead-letters/retry',
  summary: 'Handle dead events and jobs again',
  description:
    'Name `ids`, or at least one filter. A job is enqueued again with all its attempts. An event is handled once more by the ' +
    'service that gave it up, and by no other. Whatever fails again is listed again.',
  access: instanceAdmin,
  body: chosen,
  response: changed,
});

export const dropDeadLetters = operation('auth.deadLetters.drop', {
  method: 'POST',
  path: '/admin/dead-letters/drop',
  summary: 'Delete dead events and jobs without their effect',
  description: 'Name `ids`, or at least one filter. What they would have done does not happen.',
  access: instanceAdmin,
  body: chosen,
  response: changed,
});
