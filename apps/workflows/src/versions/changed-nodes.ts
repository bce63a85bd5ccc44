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
    const [before, here, there] = [base, mine, theirs].map((data) => readGroup(data, group)) as [Nodes, Nodes, Nodes];
    for (const name of new Set([...before.keys(), ...here.keys(), ...there.keys()])) {
      if (here.get(name) !== before.get(name) && there.get(name) !== before.get(name)) changed.add(name);
    }
  }
  return [...changed].sort();
}

type Nodes = Map<string, string>;

function readGroup(data: unknown, group: string): Nodes {
  const nodes = isRecord(data) ? data[group] : null;
  if (!isRecord(nodes)) return new Map();
  return new Map(Object.entries(nodes).map(([name, node]) => [name, canonicalJson(node)]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
