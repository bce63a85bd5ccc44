import { fieldOf } from '../data/is-record.js';
import { MAX_EDGES, MAX_NODES } from '../data/workflow-data.js';
import { Problems, type Problem } from './problem.js';

const SPLIT_HINT =
  'Move a part of the workflow into a workflow of its own, and use that one in a node of type WORKFLOW.';

/**
 * Counts nodes and connections before anything else reads them, so that data above the limits is refused at once.
 * Returns false if a limit is exceeded.
 */
export function checkSize(data: unknown, errors: Problems): boolean {
  for (const { path, count } of findOversizedGroups(data)) {
    const message = `The workflow has ${count} \`${path}\`; at most ${MAX_NODES} are allowed.`;
    errors.add({ code: 'too_many_nodes', message, path, hint: SPLIT_HINT });
  }
  const count = countEdges(data);
  if (count > MAX_EDGES) {
    const message = `The workflow has ${count} connections; at most ${MAX_EDGES} are allowed.`;
    errors.add({ code: 'too_many_edges', message, path: 'connections', hint: SPLIT_HINT });
  }
  return errors.isEmpty;
}

/** Returns the size errors that `validateWorkflow` would report, for callers that read the data before they validate it. */
export function findSizeProblems(data: unknown): Problem[] {
  const errors = new Problems();
  checkSize(data, errors);
  return errors.list();
}

/** Finds the groups of a version's data that have more entries than allowed. Takes any data. */
export function findOversizedGroups(data: unknown): { path: string; count: number }[] {
  return ['nodes', 'primitiveNodes', 'outputNodes']
    .map((path) => ({ path, count: countKeys(fieldOf(data, path)) }))
    .filter(({ count }) => count > MAX_NODES);
}

function countEdges(data: unknown): number {
  const edges = fieldOf(data, 'connections');
  return Array.isArray(edges) ? edges.length : 0;
}

export const countKeys = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
