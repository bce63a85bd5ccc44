import { showName } from '../names/check-name.js';
import { type Level } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Warns of nodes that can never run because of another one: what they wait for, directly or not, is stuck. */
export function checkReach(level: Level, stuck: Set<string>, warnings: Problems): void {
  const waitsFor = new Map<string, string>();
  // In topological order: where a node comes from is known before it is asked for.
  for (const { name, connections } of level.nodes.values()) {
    for (const { source, from } of connections) {
      const cause = from === 'primitive' ? undefined : stuck.has(source) ? source : waitsFor.get(source);
      if (cause !== undefined) waitsFor.set(name, cause);
    }
    const cause = waitsFor.get(name);
    if (cause === undefined || stuck.has(name)) continue;
    const message = `node ${showName(name)} can never run: it waits for ${showName(cause)}, which cannot run as it is`;
    warnings.add({ code: 'unreachable_node', message, node: name, hint: `see the error of ${showName(cause)}` });
  }
}
