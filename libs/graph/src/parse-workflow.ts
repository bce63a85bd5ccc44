import { findBadText } from './find-bad-text.js';
import { type Problems } from './problem.js';
import { MAX_EDGES, MAX_NODES, workflowData, type WorkflowData } from './workflow-data.js';

/** Reads a version's data. Gives null, and says why, where its shape is not that of a workflow. Takes anything. */
export function parseWorkflow(data: unknown, errors: Problems): WorkflowData | null {
  if (!checkSize(data, errors)) return null;
  const bad = findBadText(data);
  if (bad !== null) {
    errors.add({ code: 'bad_text', message: `${bad.path} holds ${bad.what}`, path: bad.path });
    return null;
  }
  const parsed = workflowData.safeParse(data);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const path = issue.path.map(String).join('.');
    const node = issue.path[0] === 'nodes' || issue.path[0] === 'primitiveNodes' ? issue.path[1] : undefined;
    errors.add({
      code: 'malformed',
      message: `${path || 'the workflow'}: ${issue.message}`,
      path,
      ...(typeof node === 'string' ? { node } : {}),
    });
  }
  return null;
}

/** Before anything else is looked at, so that what is too large is refused at once. */
function checkSize(data: unknown, errors: Problems): boolean {
  if (typeof data !== 'object' || data === null) return true;
  const { nodes, primitiveNodes, connections } = data as Record<'nodes' | 'primitiveNodes' | 'connections', unknown>;
  const nodeCount = Math.max(countKeys(nodes), countKeys(primitiveNodes));
  const edgeCount = Array.isArray(connections) ? connections.length : 0;
  if (nodeCount > MAX_NODES) {
    errors.add({
      code: 'too_many_nodes',
      message: `${nodeCount} nodes are more than the ${MAX_NODES} allowed`,
      path: 'nodes',
    });
  }
  if (edgeCount > MAX_EDGES) {
    errors.add({
      code: 'too_many_edges',
      message: `${edgeCount} connections are more than the ${MAX_EDGES} allowed`,
      path: 'connections',
    });
  }
  return nodeCount <= MAX_NODES && edgeCount <= MAX_EDGES;
}

const countKeys = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
