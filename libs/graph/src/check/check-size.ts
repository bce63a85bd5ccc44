import { fieldOf } from '../data/is-record.js';
import { MAX_EDGES, MAX_NODES } from '../data/workflow-data.js';
import { Problems, type Problem } from './problem.js';

const SPLIT_UP = 'put a part of it into a workflow of its own, and that into a node of type WORKFLOW';

/** Counts before anything else is looked at, so that what is too large is refused at once. False where it is. */
export function checkSize(data: unknown, errors: Problems): boolean {
  for (const { path, count } of crowdedGroups(data)) {
    const message = `${count} ${path} are more than the ${MAX_NODES} allowed`;
    errors.add({ code: 'too_many_nodes', message, path, hint: SPLIT_UP });
  }
  const count = countEdges(data);
  if (count > MAX_EDGES) {
    const message = `${count} connections are more than the ${MAX_EDGES} allowed`;
    errors.add({ code: 'too_many_edges', message, path: 'connections', hint: SPLIT_UP });
  }
  return errors.none;
}

/** What `validateWorkflow` says of data that is too large, for those who would walk it before they ask that. */
export function findOversize(data: unknown): Problem[] {
  const errors = new Problems();
  checkSize(data, errors);
  return errors.list();
}

/** The groups of a version's data that hold more than they may. Takes any data. */
export function crowdedGroups(data: unknown): { path: string; count: number }[] {
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
