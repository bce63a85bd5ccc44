import { isRecord } from '@millrace/graph/data/is-record';
import { readGroup } from '../read-group.js';
import { isEqual, type Json } from './diff-records.js';

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
      if (differs(before, here, name) && differs(before, there, name)) changed.add(name);
    }
  }
  return [...changed].sort();
}

const differs = (a: Json, b: Json, name: string): boolean =>
  Object.hasOwn(a, name) ? !Object.hasOwn(b, name) || !isEqual(a[name], b[name]) : Object.hasOwn(b, name);
