import { canonicalJson } from './canonical-json.js';

const GROUPS = ['nodes', 'primitiveNodes', 'outputNodes'] as const;

/**
 * Names of the nodes that two versions both changed, added or took away, as against the data that both began with.
 * @returns null where `base` is not data that can be compared
 */
export function findChangedNodes(base: unknown, mine: unknown, theirs: unknown): string[] | null {
  if (!isRecord(base)) return null;
  const changed = new Set<string>();
  for (const group of GROUPS) {
    const [before, here, there] = [readGroup(base, group), readGroup(mine, group), readGroup(theirs, group)];
    for (const name of new Set([before, here, there].flatMap((nodes) => Object.keys(nodes)))) {
      const was = textOf(before, name);
      if (textOf(here, name) !== was && textOf(there, name) !== was) changed.add(name);
    }
  }
  return [...changed].sort();
}

type Nodes = Record<string, unknown>;

function readGroup(data: unknown, group: string): Nodes {
  const nodes = isRecord(data) ? data[group] : null;
  return isRecord(nodes) ? nodes : {};
}

const textOf = (nodes: Nodes, name: string): string | null =>
  Object.hasOwn(nodes, name) ? canonicalJson(nodes[name]) : null;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
