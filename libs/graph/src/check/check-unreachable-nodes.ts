import { showName } from '../names/check-name.js';
import { type Level } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Warns of nodes that can never run because a node that they depend on, directly or indirectly, has an error. */
export function checkUnreachableNodes(level: Level, brokenNodes: Set<string>, warnings: Problems): void {
  const causes = new Map<string, string>();
  // The nodes are in topological order, so the causes of a node's sources are known before the node is checked.
  for (const { name, connections } of level.nodes.values()) {
    for (const { source, from } of connections) {
      const cause = from === 'primitive' ? undefined : brokenNodes.has(source) ? source : causes.get(source);
      if (cause !== undefined) causes.set(name, cause);
    }
    const cause = causes.get(name);
    if (cause === undefined || brokenNodes.has(name)) continue;
    const message = `Node ${showName(name)} can never run because it depends on node ${showName(cause)}, which has an error.`;
    warnings.add({ code: 'unreachable_node', message, node: name, hint: `Fix the error of node ${showName(cause)}.` });
  }
}
