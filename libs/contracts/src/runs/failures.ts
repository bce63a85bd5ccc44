import { z } from 'zod';
import { requires } from '../kit/access.js';
import { numericString, text, timestamp, numericPathId, pathId } from '../kit/fields.js';
import { listQuery, pageOf, pageSize } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { FAILURE_KINDS } from './failure-kind.js';
import { runParams } from './runs.js';

export const failedSubjob = z
  .object({
    subjob: numericString,
    task_index: z.number().int().optional().describe('Number of the child, from 1; absent for a node that runs once'),
    item: z
      .string()
      .optional()
      .describe('The line that the child works on; its first 200 characters, with values of secret variables masked'),
    message: z.string().optional().describe('As in the subjob, not normalised'),
    attempt: z.number().int().describe('The attempt that failed last'),
    finished_at: timestamp.optional(),
  })
  .meta({ id: 'FailedSubjob' });

const example = failedSubjob.extend({
  stderr: z
    .string()
    .optional()
    .describe('The last lines of standard error, at most 10 and 2,000 characters; of the first example only'),
});

export const failureGroup = z
  .object({
    id: z.string().describe('Identifies the node and the reason: the same in all runs of a version'),
    node: z.string(),
    label: z.string(),
    subjob: numericString.describe('The task group, or the node that runs once'),
    kind: z.enum(FAILURE_KINDS),
    exit_code: z.number().int().optional().describe('Present if `kind` is `exit_code`'),
    reason: z
      .string()
      .describe(
        'Normalised message: numbers, addresses, hosts, URLs, paths, quoted text, times and the item itself are ' +
          'placeholders, such as `<number>`',
      ),
    count: z.number().int().describe('Number of failed subjobs'),
    children: z.number().int().describe('Number of children of the node; 1 for a node that runs once'),
    share: z.number().describe('`count` divided by `children`'),
    first_at: timestamp.optional(),
    last_at: timestamp.optional(),
    examples: z.array(example).describe('The first three, by number of the child'),
  })
  .meta({ id: 'FailureGroup' });

export const listFailures = operation('runs.failures.list', {
  method: 'GET',
  path: '/runs/{id}/failures',
  summary: 'List failed subjobs of a run, grouped by reason',
  description:
    'The largest group comes first. A node that runs once is a group of one. Subjobs that were skipped or stopped, ' +
    'and failed attempts that another one followed, are not failures. `search` looks in reasons.',
  access: requires('space.see'),
  params: runParams,
  query: listQuery(['count', 'first_at', 'last_at', 'node'], {
    ordering: '-count',
    filters: {
      node: text(2_000).optional().describe('A node, or a module with all nodes inside it'),
    },
  }),
  response: pageOf(failureGroup).extend({
    failed: z.number().int().describe('Number of failed subjobs in all groups that match'),
  }),
  list: 'nullable-links',
  tool: {
    name: 'list_failures',
    guidance:
      'The first tool to use for a failed run: it groups thousands of failures by reason. Then use `read_log` with the `subjob` of an example.',
  },
});

export const listFailedSubjobs = operation('runs.failures.subjobs', {
  method: 'GET',
  path: '/runs/{id}/failures/{group}',
  summary: 'List the failed subjobs of a group',
  description:
    'In the order of their numbers. `cursor` continues after the last subjob of the previous page, so the pages stay ' +
    'complete if some are retried in the meantime.',
  access: requires('space.see'),
  params: z.strictObject({ id: numericPathId('run'), group: pathId('group of failures') }),
  query: z.strictObject({
    page_size: pageSize(),
    cursor: z
      .string()
      .regex(/^\d{1,10}$/, 'must be the `cursor` of the previous page')
      .optional()
      .describe('The `cursor` of the previous page'),
  }),
  response: z.object({
    results: z.array(failedSubjob),
    cursor: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  }),
});
