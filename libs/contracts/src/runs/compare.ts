import { z } from 'zod';
import { requires } from '../kit/access.js';
import { numericString, text, numericPathId } from '../kit/fields.js';
import { pageSize } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { versionDiffSummary } from '../workflows/versions.js';
import { run } from './run-record.js';
import { SUBJOB_STATUSES } from './statuses.js';

const compareParams = z.strictObject({ id: numericPathId('run'), otherId: numericPathId('run to compare with') });

const ROLES = 'Both runs must be in spaces that you may read.';
const DIRECTION = 'The first run of the path is `a`, the other one `b`, and changes are those from `a` to `b`.';

const runSide = run.pick({
  id: true,
  name: true,
  status: true,
  has_failures: true,
  workflow_info: true,
  workflow_name: true,
  workflow_version_info: true,
  created_date: true,
  started_date: true,
  completed_date: true,
  duration_ms: true,
  run_insights: true,
  execution_units: true,
});

const difference = z
  .object({ duration_ms: z.number().int().optional(), execution_units: z.number().int() })
  .describe('`b` minus `a`; no duration if one of them has none');

const inputSide = z.object({
  id: z.string(),
  label: z.string().optional(),
  type: z.enum(['STRING', 'BOOLEAN', 'FILE', 'FOLDER']),
  value: z.union([z.string(), z.boolean()]).optional(),
  sha256: z.string().optional(),
  size: z.number().int().optional(),
  files: z.number().int().optional(),
});

const changeCounts = z.object({
  same: z.number().int(),
  changed: z.number().int(),
  only_in_a: z.number().int(),
  only_in_b: z.number().int(),
});

export const runComparison = z
  .object({
    a: runSide,
    b: runSide,
    difference,
    same_plan: z
      .boolean()
      .describe(
        'Whether both runs executed exactly the same: modules, and parameters that were changed in a run, included',
      ),
    version: versionDiffSummary.optional().describe('Absent if the workflows differ, or a version no longer exists'),
    inputs: z.object({
      added: z.array(inputSide),
      removed: z.array(inputSide),
      changed: z.array(z.object({ id: z.string(), label: z.string().optional(), before: inputSide, after: inputSide })),
      same: z.number().int(),
    }),
    nodes: z.object({ both: z.number().int(), only_in_a: z.number().int(), only_in_b: z.number().int() }),
    outputs: changeCounts.describe('Number of outputs by change'),
  })
  .meta({ id: 'RunComparison' });

export const compareRuns = operation('runs.compare.get', {
  method: 'GET',
  path: '/runs/{id}/compare/{otherId}',
  summary: 'Compare two runs',
  description: `${DIRECTION} Nodes, outputs and rows have lists of their own. ${ROLES}`,
  access: requires('space.see'),
  params: compareParams,
  response: runComparison,
  tool: {
    name: 'compare_runs',
    guidance:
      'Shows what differs between two runs: version, inputs, outputs, duration. `a` is the run of `run_id`, `b` that of `other_run_id`.',
    arguments: { otherId: 'other_run_id' },
  },
});

const nodeSide = z.object({
  subjob: numericString.optional().describe('Absent if the node has no subjob'),
  status: z.enum(SUBJOB_STATUSES).optional(),
  duration_ms: z.number().int().optional(),
  execution_units: z.number().int(),
  children: z.number().int().optional().describe('Number of children, if the node is split'),
  child_statuses: z.record(z.string(), z.number().int()).optional(),
  child_duration_ms: z.number().int().optional().describe('Mean duration of the children'),
});

export const nodeComparison = z
  .object({
    node: z.string(),
    label: z.string(),
    matched_by: z
      .enum(['item', 'index'])
      .optional()
      .describe(
        'How children of both runs are matched: by the content of their item, or by their number. By number if the items ' +
          'are batches, exceed 32 MiB, or are no longer stored. Absent unless both runs split the node',
      ),
    a: nodeSide.optional().describe('Absent if only the other run has the node'),
    b: nodeSide.optional(),
    difference: difference.optional().describe('Present if both runs have the node'),
    outputs: changeCounts,
  })
  .meta({ id: 'NodeComparison' });

const cursor = z
  .string()
  .max(4_000)
  .regex(/^[\w-]+$/, 'must be the `cursor` of the previous page')
  .optional()
  .describe('The `cursor` of the previous page');
const nextCursor = z.string().nullable().describe('Cursor of the next page; null on the last page');

export const compareNodes = operation('runs.compare.nodes', {
  method: 'GET',
  path: '/runs/{id}/compare/{otherId}/nodes',
  summary: 'Compare the nodes of two runs',
  description: `Status, duration, cost and outputs of each node, by name. ${DIRECTION} ${ROLES}`,
  access: requires('space.see'),
  params: compareParams,
  query: z.strictObject({ page_size: pageSize(), cursor }),
  response: z.object({ results: z.array(nodeComparison), cursor: nextCursor }),
});

const outputSide = z.object({
  id: z.string(),
  subjob: numericString,
  task_index: z.number().int().optional().describe('Number of the child, from 1; absent for a node that runs once'),
  size: z.number().int(),
  sha256: z.string(),
});

export const OUTPUT_CHANGES = ['same', 'changed', 'only_in_a', 'only_in_b'] as const;

export const outputComparison = z
  .object({
    node: z.string(),
    path: z.string(),
    change: z.enum(OUTPUT_CHANGES),
    a: outputSide.optional(),
    b: outputSide.optional(),
  })
  .meta({ id: 'OutputComparison' });

export const compareOutputs = operation('runs.compare.outputs', {
  method: 'GET',
  path: '/runs/{id}/compare/{otherId}/outputs',
  summary: 'Compare the outputs of two runs by content',
  description:
    `An output of \`a\` and one of \`b\` belong together if node, path and child are the same. ${DIRECTION} ` +
    `Outputs that a retry replaced do not count. ${ROLES}`,
  access: requires('space.see'),
  params: compareParams,
  query: z.strictObject({
    page_size: pageSize(),
    cursor,
    node: text(2_000).optional().describe('Return only outputs of the node with this name'),
    change: z
      .string()
      .transform((value) => value.split(','))
      .pipe(z.array(z.enum(OUTPUT_CHANGES)))
      .optional()
      .describe('Comma-separated; all of them by default'),
  }),
  response: z.object({ results: z.array(outputComparison), cursor: nextCursor }),
});
