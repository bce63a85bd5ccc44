import { z } from 'zod';
import { listChildren, listSubjobs } from '@millrace/contracts/runs/subjobs';
import { ToolError } from '../tool-error.js';
import type { ToolCall } from '../tool.js';

/** Fields with which a tool names one subjob of a run. */
export const subjobFields = {
  run_id: z.string().regex(/^\d+$/, 'must be the number of a run'),
  node: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the node, such as `sort-1`; exactly one of `node` and `subjob_id`'),
  subjob_id: z.string().regex(/^\d+$/, 'must be the number of a subjob').optional(),
  task_index: z.int().min(1).optional().describe('For a node that was split: number of the child, from 1'),
};

type Fields = z.output<z.ZodObject<typeof subjobFields>>;

type Subjob = z.output<typeof listSubjobs.response>['results'][number];

/** @returns the id of the subjob, and the record if that was read. Of a split node without `task_index`, it is the task group. */
export async function chooseSubjob(call: ToolCall, fields: Fields): Promise<{ id: string; subjob?: Subjob }> {
  const { node, subjob_id: id, task_index: index } = fields;
  if ((node === undefined) === (id === undefined)) throw wrong('node', 'must be given, or `subjob_id`, but not both');
  if (id !== undefined) {
    if (index !== undefined) throw wrong('task_index', 'requires `node`; a `subjob_id` is that of the child itself');
    return { id };
  }
  const subjob = await findNode(call, fields.run_id, node!);
  if (index === undefined) return { id: subjob.id, subjob };
  const child = await findChild(call, subjob, index);
  return { id: child.id, subjob: child };
}

const wrong = (field: string, problem: string) =>
  new ToolError('validation_error', 'The arguments are not valid.', { [field]: problem });

async function findNode({ client, signal }: ToolCall, run: string, node: string): Promise<Subjob> {
  const { results } = await client.call(listSubjobs, { params: { id: run }, query: { node, page_size: 10 }, signal });
  const found = results.filter((subjob) => subjob.node === node);
  // A node that splits its own input has two subjobs with its name; the one with children is meant.
  const subjob = found.find(({ task_count: count }) => count !== undefined) ?? found.at(-1);
  if (subjob) return subjob;
  if (results.length > 0) {
    const names = results.map((inside) => inside.node).join(', ');
    throw new ToolError('not_found', `"${node}" is a module. Name a node in it, such as ${names}. See list_subjobs.`);
  }
  throw new ToolError('not_found', `Run ${run} has no node "${node}". See list_subjobs.`);
}

async function findChild({ client, signal }: ToolCall, group: Subjob, index: number): Promise<Subjob> {
  const { id, run, node, task_count: count } = group;
  if (count === undefined) throw wrong('task_index', `must be left out, because node "${node}" is not split`);
  const query = { page: index, page_size: 1, ordering: 'task_index' };
  const { results } = await client.call(listChildren, { params: { id: run, subjobId: id }, query, signal });
  const child = results.find(({ task_index: number }) => number === index);
  if (child) return child;
  throw new ToolError('not_found', `Node "${node}" of run ${run} has no child ${index}; it has ${count}.`);
}
