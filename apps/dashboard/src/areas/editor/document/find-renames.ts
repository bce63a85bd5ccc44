import type { Document, NodeRecord } from './document.js';
import type { History } from './history.js';
import { isEqual } from './is-equal.js';

/**
 * The nodes that have another name than before. The history knows them; without it, as after a reload, a node counts as renamed if
 * nothing else of it has changed.
 */
export function findRenames(before: Document, after: Document, { done }: Pick<History, 'done'>): Map<string, string> {
  const isGone = (id: string) => Object.hasOwn(before.nodes, id) && !Object.hasOwn(after.nodes, id);
  const isNew = (id: string) => Object.hasOwn(after.nodes, id) && !Object.hasOwn(before.nodes, id);
  const renames = new Map<string, string>();
  for (const { label, diff } of done) {
    if (!label.startsWith('Rename ')) continue;
    const nodes = diff.filter(({ table }) => table === 'nodes');
    const from = nodes.find((one) => one.after === undefined)?.key;
    const to = nodes.find((one) => one.before === undefined)?.key;
    if (from === undefined || to === undefined) continue;
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
