import type { ConnectionRecord } from '../document/document.js';
import type { MergeItem } from '../document/merge.js';
import { readConnection } from '../ports/read-connection.js';

const NOUNS: Record<MergeItem['table'], string> = {
  nodes: 'Node',
  primitiveNodes: 'Input',
  annotations: 'Note',
  groups: 'Group',
  connections: 'Connection',
  outputNodes: 'Output',
  other: 'Setting',
};

/** A changed record in words: `Node sort-1`, `Connection a-1 → b-1`. */
export function labelItem({
  table,
  key,
  base,
  mine,
  theirs,
}: Pick<MergeItem, 'table' | 'key' | 'base' | 'mine' | 'theirs'>): string {
  if (table !== 'connections') return `${NOUNS[table]} ${key}`;
  const ends = readConnection((mine ?? theirs ?? base) as ConnectionRecord);
  return ends
    ? `Connection ${ends.source} → ${ends.target}${ends.targetPort === '' ? '' : `, ${ends.targetPort}`}`
    : 'Connection';
}
