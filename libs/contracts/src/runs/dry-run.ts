import { z } from 'zod';
import { requires } from '../kit/access.js';
import { operation } from '../kit/operation.js';
import { problem } from '../workflows/problem.js';
import { createRun } from './runs.js';

/** Where a problem is. `workers` is a warning: the run would start, and wait. */
export const PLAN_PROBLEM_KINDS = ['workflow', 'input', 'variable', 'restriction', 'limit', 'workers'] as const;

export const planProblem = problem.extend({
  kind: z.enum(PLAN_PROBLEM_KINDS),
  severity: z.enum(['error', 'warning']).describe('With an error the run would not start'),
});

/** What the cache would give for a step. */
export const CACHE_FORECASTS = ['hit', 'partial', 'miss', 'unknown'] as const;

const cacheForecast = z.object({
  result: z
    .enum(CACHE_FORECASTS)
    .describe('`partial`: for some children. `unknown`: the key depends on something that only the run determines'),
  hits: z.number().int().optional().describe('For `partial`: number of children with a result'),
  reason: z.string().describe('Why'),
  run: z.string().optional().describe('The earlier run whose result would be used'),
});

const stepEstimate = z.object({
  duration_ms: z.number().int().describe('Median duration of one execution; of one child, if there are several'),
  execution_units: z.number().describe('Median cost of one execution'),
  runs: z.number().int().describe('Number of earlier runs that it is based on'),
});

export const plannedStep = z
  .object({
    node: z.string(),
    label: z.string(),
    type: z.enum(['TOOL', 'SCRIPT', 'SPLITTER', 'APPROVAL']),
    runner: z.string().describe('The language of a script, the image or the command of a tool; `split` or `approval`'),
    after: z.array(z.string()).describe('Nodes that end before it starts'),
    condition: z.string().optional().describe('It runs only if this is true'),
    children: z
      .number()
      .int()
      .nullable()
      .describe('Number of executions: 1 if it is not distributed; null if it depends on something that runs first'),
    cache: cacheForecast,
    estimate: stepEstimate.nullable().describe('From earlier runs of the workflow; null if none has executed it'),
  })
  .meta({ id: 'PlannedStep' });

export const runPlan = z
  .object({
    workflow: z.string(),
    version: z.string().nullable().describe('Null if it could not be read'),
    can_start: z.boolean().describe('Whether no problem is an error'),
    problems: z.array(planProblem),
    steps: z.array(plannedStep).describe('In the order in which they become ready; empty if the workflow has errors'),
    steps_omitted: z.number().int().describe('Further steps, which would make the response too large'),
    parallelism: z.number().int().nullable(),
    estimate: z.object({
      duration_ms: z.number().int().nullable().describe('Null if a step has no estimate'),
      execution_units: z.number().int().nullable(),
      without_estimate: z.array(z.string()).describe('The first nodes that prevent an estimate of the whole run'),
    }),
  })
  .meta({ id: 'RunPlan' });

export const planRun = operation('runs.runs.plan', {
  clientMethod: 'workflows.plan',
  method: 'POST',
  path: '/workflows/{id}/plan',
  summary: 'Show what a run of a workflow would do, without starting it',
  description:
    'Nothing is created. The response lists the steps with their children, what the cache would give, the duration and ' +
    'cost that earlier runs suggest, and all problems that would prevent a start. The body is that of a start; `name` and ' +
    '`timeout_seconds` have no effect.',
  access: requires('space.run'),
  additionalPermissions: createRun.additionalPermissions,
  params: createRun.params,
  body: createRun.body,
  response: runPlan,
  tool: {
    name: 'plan_run',
    guidance: 'Use it before an expensive run.',
    // As `run_workflow`.
    arguments: { part: null, reuse_run: null },
    isReadOnly: true,
  },
});
