import { countOf } from '../../../text/format-count.js';
import type { Diff } from '../document/diff.js';

/** Changes in few words: `2 nodes added, 1 node changed, 3 connections added`. */
export function describeChanges(diff: Diff): string {
  const counts = new Map<string, number>();
  for (const { table, before, after } of diff) {
    const noun = NOUNS[table];
    const verb = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const key = `${noun} ${verb}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, count]) => {
      const [noun = '', verb = ''] = key.split(' ');
      return `${countOf(count, noun)} ${verb}`;
    })
    .join(', ');
}

const NOUNS: Record<Diff[number]['table'], string> = {
  nodes: 'node',
  primitiveNodes: 'input',
  annotations: 'note',
  groups: 'group',
  connections: 'connection',
  outputNodes: 'output',
  other: 'setting',
};
