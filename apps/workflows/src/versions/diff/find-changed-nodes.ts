import { isRecord } from '@millrace/graph/data/is-record';
import { readGroup } from '../read-group.js';
import { isEqual, type Json } from './diff-records.js';

const GROUPS = ['nodes', 'primitiveNodes', 'outputNodes'] as const;

/**
 * Names of the nodes that both versions changed, added or removed since `base`, the data that both started from.
 * @returns null if `base` cannot be compared
 */
export function findChangedNodes(base: unknown, mine: unknown, theirs: unknown): string[] | null {
  if (!isRecord(base)) return null;
  const changed = new Set<string>();
  for (const group of GROUPS) {
    const [before, here, there] = [readGroup(base, group), readGroup(mine, group), readGroup(theirs, group)];
    for (const name of new Set([before, here, there].flatMap((nodes) => Object.keys(nodes)))) {
      if (differs(before, here, name) && differs(before, there, name)) changed.add(name);
    }
  }
  return [...changed].sort();
}

const differs = (a: Json, b: Json, name: string): boolean =>
  Object.hasOwn(a, name) ? !Object.hasOwn(b, name) || !isEqual(a[name], b[name]) : Object.hasOwn(b, name);
