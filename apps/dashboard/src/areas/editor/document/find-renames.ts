import type { Change, Diff } from './diff.js';
import type { Document, NodeRecord } from './document.js';
import { isEqual } from './is-equal.js';

/**
 * The nodes that have another name than before: a step gave it to them, or nothing else of them has changed.
 * @param steps those that led from one document to the other, if they are known
 * @returns the new names by the former ones
 */
export function findRenames(
  before: Document,
  after: Document,
  steps: readonly { diff: Diff }[] = [],
): Map<string, string> {
  const isGone = (id: string) => Object.hasOwn(before.nodes, id) && !Object.hasOwn(after.nodes, id);
  const isNew = (id: string) => Object.hasOwn(after.nodes, id) && !Object.hasOwn(before.nodes, id);
  const renames = new Map<string, string>();
  for (const { diff } of steps) {
    const nodes = diff.filter((change): change is Change<'nodes'> => change.table === 'nodes');
    const [removed, ...otherRemoved] = nodes.filter((change) => change.after === undefined);
    const [added, ...otherAdded] = nodes.filter((change) => change.before === undefined);
    if (!removed || !added || otherRemoved.length + otherAdded.length > 0) continue;
    if (!isEqual(withoutName(removed.before), withoutName(added.after))) continue;
    const [from, to] = [removed.key, added.key];
    const [origin = from] = [...renames].find(([, name]) => name === from) ?? [];
    renames.set(origin, to);
  }
  const known = new Map([...renames].filter(([from, to]) => isGone(from) && isNew(to)));
  const free = Object.keys(after.nodes).filter((id) => isNew(id) && ![...known.values()].includes(id));
  for (const [id, node] of Object.entries(before.nodes)) {
    if (!isGone(id) || known.has(id)) continue;
    const same = free.filter((other) => isEqual(withoutName(after.nodes[other]), withoutName(node)));
    if (same.length === 1 && same[0] !== undefined) known.set(id, same[0]);
  }
  return known;
}

const withoutName = (node: NodeRecord | undefined) => ({ ...node, name: undefined });
