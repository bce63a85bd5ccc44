import { z } from 'zod';
import { requires } from '../kit/access.js';
import { queryNumber, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { DURATION_STEPS, STATUS_LETTERS } from './child-status-text.js';
import { subjobParams } from './subjobs.js';

/** Children in one response of `listChildStatuses`, which is then about 300 kB. */
export const MAX_CHILD_STATUSES = 100_000;

const childStatuses = z
  .object({
    seq: z
      .number()
      .int()
      .describe(
        'Number of the last status change of the run that the statuses include: `GET /runs/{id}/events?after=<seq>` has all ' +
          'later ones',
      ),
    at: timestamp.describe('Time of the response, until which `durations` counts for running children'),
    count: z.number().int().describe('Number of children of the task group; 0 if it is none, or is not split yet'),
    from: z.number().int().describe('Number of the first child in `statuses`'),
    statuses: z.string().describe(
      'One letter for each child, in the order of their numbers: ' +
        Object.entries(STATUS_LETTERS)
          .map(([status, letter]) => `\`${letter}\` ${status}`)
          .join(', '),
    ),
    durations: z
      .string()
      .describe(
        'Two characters for each child: a number `n` of two digits in base 64 (digits of base64url, `AA` is 0, `__` is 4095), ' +
          `which stands for e^(n / ${DURATION_STEPS}) - 1 milliseconds, exact to 0.3 %; \`..\` if the child has not started`,
      ),
    next: z.number().int().nullable().describe('`from` of the next request; null if these are the last children'),
  })
  .meta({ id: 'ChildStatuses' });

export const listChildStatuses = operation('runs.subjobs.statuses', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/children/statuses',
  summary: 'Read statuses and durations of all children of a task group',
  description:
    'Three bytes for each child instead of a record, for pictures of many children. Statuses and `seq` are of the same ' +
    'moment, so a client that applies the changes after `seq` misses none.',
  access: requires('space.see'),
  params: subjobParams,
  query: z.strictObject({
    from: queryNumber(2_000_000_000).default(1).describe('Number of the first child, from 1'),
    limit: queryNumber(MAX_CHILD_STATUSES)
      .default(MAX_CHILD_STATUSES)
      .describe(`Return at most this many children, at most ${MAX_CHILD_STATUSES.toLocaleString('en')}`),
  }),
  response: childStatuses,
});
