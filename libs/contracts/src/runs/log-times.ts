import { z } from 'zod';
import { requires } from '../kit/access.js';
import { queryNumber, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { subjobParams } from './subjobs.js';

export const getLogTimes = operation('runs.subjobs.logTimes', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/logs/times',
  summary: 'Get when the log of an attempt was written',
  description:
    'While a step runs, its worker records the size of each log, every 250 ms at first. A line was written at or before the ' +
    'first sample whose `offset` is greater than the byte at which the line begins. At most 1,000 samples are kept, so that ' +
    'times of a long attempt are less exact: of one that prints for an hour, to about 8 s. An attempt of less than 250 ms has one ' +
    'sample, its end. There are no samples of cached results, and of attempts from before times were recorded.',
  access: requires('space.see'),
  params: subjobParams,
  query: z.strictObject({
    stream: z.enum(['stdout', 'stderr']).default('stdout').describe('Which output of the process'),
    attempt: queryNumber(1_000_000).optional().describe('Defaults to the current or last attempt'),
  }),
  response: z
    .object({
      state: z.enum(['stored', 'running', 'waiting', 'none']).describe('The state of the log'),
      attempt: z.number().int(),
      started_at: timestamp.optional().describe('Start of the attempt'),
      samples: z
        .array(
          z.object({
            offset: z.number().int().describe('Size of the complete log in bytes at this time'),
            elapsed_ms: z.number().int().describe('Milliseconds since the start of the attempt'),
          }),
        )
        .describe('In order; both numbers increase'),
      size: z.number().int().optional().describe('Size of the complete log in bytes, once it is stored'),
      omitted: z
        .object({ offset: z.number().int(), bytes: z.number().int() })
        .optional()
        .describe('The bytes of the complete log that were not kept; a line in their place gives their number'),
    })
    .meta({ id: 'LogTimes' }),
});
