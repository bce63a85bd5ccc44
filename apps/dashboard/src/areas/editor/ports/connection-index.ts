import type { Document } from '../document/document.js';
import { type ConnectionEnds, readConnection } from './read-connection.js';

export interface Connected extends ConnectionEnds {
  key: string;
}

/** The connections of a document by the nodes that they touch. */
export interface ConnectionIndex {
  all: readonly Connected[];
  into: ReadonlyMap<string, readonly Connected[]>;
  from: ReadonlyMap<string, readonly Connected[]>;
}

const known = new WeakMap<Document['connections'], ConnectionIndex>();

/** Read once per change of a connection. */
export function indexConnections({ connections }: Pick<Document, 'connections'>): ConnectionIndex {
  const old = known.get(connections);
  if (old) return old;
  const all = Object.entries(connections).flatMap(([key, record]) => {
    const ends = readConnection(record);
    return ends ? [{ key, ...ends }] : [];
  });
  const index = { all, into: groupBy(all, 'target'), from: groupBy(all, 'source') };
  known.set(connections, index);
  return index;
}

function groupBy(all: readonly Connected[], end: 'source' | 'target'): Map<string, Connected[]> {
  const groups = new Map<string, Connected[]>();
  for (const one of all) {
    const group = groups.get(one[end]);
    if (group) group.push(one);
    else groups.set(one[end], [one]);
  }
  return groups;
}
