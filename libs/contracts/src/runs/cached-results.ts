import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { numericString, text, timestamp, idOf } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { CACHE_PARTS } from './cache.js';
import { subjobParams } from './subjobs.js';

/** Earlier runs of the workflow that an explanation looks at, newest first. */
export const MAX_EXPLAINED_RUNS = 50;

/** Why a subjob neither reused a result nor looked for one, or why nothing is known about it. */
export const CACHE_BYPASSES = [
  'node_type',
  'task_group',
  'off_for_run',
  'off_for_node',
  'not_executed',
  'running',
  'skipped',
  'stopped',
  'failed',
  'no_key',
] as const;

const digest = z.string().describe('First 16 digits of the hash of the part');

const place = {
  run: numericString,
  run_name: z.string(),
  subjob: numericString,
  task_index: z.number().int().optional().describe('Number of the child, from 1; absent for a node that runs once'),
};

const childCounts = z
  .object({ hit: z.number().int(), miss: z.number().int(), not_used: z.number().int() })
  .describe('Number of children by result; present for a task group');

export const cacheExplanation = z
  .object({
    run: numericString,
    subjob: numericString,
    node: z.string(),
    result: z.enum(['hit', 'miss', 'not_used']),
    reason: z.enum(CACHE_BYPASSES).optional().describe('Why the cache was not used; present with `not_used`'),
    message: z.string().describe('The explanation as a sentence'),
    parts: z
      .array(z.object({ name: z.enum(CACHE_PARTS), digest }))
      .describe('The parts of the cache key; empty if the subjob has none'),
    reusable: z.boolean().describe('Whether the cache has a result for this key now'),
    source: z
      .object(place)
      .optional()
      .describe('Whose result was reused; absent if its run was deleted, or is in a space that you may not read'),
    nearest: z
      .object({
        ...place,
        finished_at: timestamp.optional(),
        equal: z.number().int().describe('Number of equal parts'),
        different: z
          .array(z.object({ name: z.enum(CACHE_PARTS), digest }))
          .describe('The parts that differ, as the other subjob has them'),
        inputs: z.array(z.string()).describe('Inputs that are known to differ, as `params` of a subjob names them'),
      })
      .optional()
      .describe(
        'The subjob of an earlier run of the workflow, for the same node and item, that has the most equal parts; the ' +
          'newest of several',
      ),
    runs_examined: z
      .number()
      .int()
      .describe(`Earlier runs that were looked at: the newest, at most ${MAX_EXPLAINED_RUNS}`),
    children: childCounts.optional(),
  })
  .meta({ id: 'CacheExplanation' });

export const explainCache = operation('runs.cache.explain', {
  method: 'GET',
  path: '/runs/{id}/subjobs/{subjobId}/cache',
  summary: 'Explain whether a subjob reused a cached result',
  description:
    'A hit names the subjob whose result was reused. Otherwise, the response names the parts of the key that differ from the ' +
    `nearest subjob of the ${MAX_EXPLAINED_RUNS} runs of the workflow before this one. Only the last attempt counts.`,
  access: requires('space.see'),
  params: subjobParams,
  response: cacheExplanation,
});

const cleared = z.object({
  removed: z.number().int().describe('Number of removed results'),
  complete: z
    .boolean()
    .describe('False if the time of one request was not enough: send the request again to remove the others'),
});

const CLEARING =
  'Outputs of runs stay, also of runs that have reused a result. A result that is stored after the request has begun stays.';

export const clearWorkflowCache = operation('runs.cache.clearWorkflow', {
  method: 'DELETE',
  path: '/workflows/{id}/cache',
  summary: 'Remove the cached results of a workflow, or of one node of it',
  description:
    `Removes the results that runs of the workflow have computed. ${CLEARING} Equal results that another workflow of the ` +
    'space has computed stay; clear the cache of the space to remove them.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  query: z.strictObject({
    node: text(2_000, 1).optional().describe('Name of a node; the name of a module means all nodes in it'),
  }),
  response: cleared,
});

export const clearSpaceCache = operation('runs.cache.clearSpace', {
  method: 'DELETE',
  path: '/spaces/{id}/cache',
  summary: 'Remove all cached results of a space',
  description: CLEARING,
  access: requires('space.edit'),
  params: idOf('space'),
  response: cleared,
});

/** A user removes cached results, for the audit log. */
export const cacheCleared = event('runs.cache.cleared', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    vault: z.uuid(),
    space: z.uuid(),
    workflow: z.uuid().optional().describe('Absent if all results of the space are removed'),
    name: z.string().optional().describe('Name of the workflow, or of the space'),
    node: z.string().optional(),
    user: z.uuid(),
    address: z.string().optional(),
    agent: z.string().optional(),
    at: timestamp,
  }),
});
