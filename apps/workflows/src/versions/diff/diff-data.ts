import type { z } from 'zod';
import type { versionDiff } from '@millrace/contracts/workflows/versions';
import {
  readGroup,
  diffFields,
  diffRecords,
  newSizeBudget,
  type FieldChange,
  type Json,
  type RecordChanges,
  isEqual,
  type SizeBudget,
} from './diff-records.js';

export type DataDiff = Omit<z.input<typeof versionDiff>, 'from' | 'to'>;

/** The groups of records in the data, by the names that a diff shows. */
export const GROUPS = {
  nodes: 'nodes',
  inputs: 'primitiveNodes',
  outputs: 'outputNodes',
  annotations: 'annotations',
} as const;
const SEPARATE_PARTS: readonly string[] = [...Object.values(GROUPS), 'connections'];

/** The changes that turn the data of version `a` into that of version `b`. */
export function diffData(a: Json, b: Json): DataDiff {
  const budget = newSizeBudget();
  const groups = Object.entries(GROUPS).map(([shown, group]) => [
    shown,
    diffRecords(readGroup(a, group), readGroup(b, group), budget),
  ]);
  const edges = diffEdges(edgesOf(a), edgesOf(b), budget);
  const other = [
    ...diffFields(otherParts(a), otherParts(b), budget),
    ...SEPARATE_PARTS.flatMap((part) => diffPresence(part, a, b)),
  ];
  const records = Object.fromEntries(groups) as Record<keyof typeof GROUPS, RecordChanges>;
  const same = other.length === 0 && [...Object.values(records), edges].every(isUnchanged);
  return { same, ...records, edges, other };
}

const edgesOf = (data: Json): Edge[] => (Array.isArray(data['connections']) ? (data['connections'] as Edge[]) : []);
const otherParts = (data: Json): Json =>
  Object.fromEntries(Object.entries(data).filter(([key]) => !SEPARATE_PARTS.includes(key)));

/** A group that was added empty, or removed together with its records, is not visible in the records' changes. */
function diffPresence(part: string, a: Json, b: Json): FieldChange[] {
  const empty = part === 'connections' ? [] : {};
  if (Object.hasOwn(a, part) && !Object.hasOwn(b, part)) return [{ path: part, before: empty }];
  if (Object.hasOwn(a, part) || !Object.hasOwn(b, part)) return [];
  return Object.keys(b[part] as object).length === 0 ? [{ path: part, after: empty }] : [];
}

const isUnchanged = ({ added, removed, changed }: RecordChanges | EdgeChanges): boolean =>
  added.length + removed.length + changed.length === 0;

type EdgeChanges = z.input<typeof versionDiff>['edges'];
export type Edge = EdgeChanges['added'][number];

/**
 * The changes between two lists of edges, whose order does not count. An edge is identified by its two ends. If several
 * edges have the same ends, one that differs counts as one removed and one added.
 */
function diffEdges(a: readonly Edge[], b: readonly Edge[], budget: SizeBudget): EdgeChanges {
  const changes: EdgeChanges = { added: [], removed: [], changed: [] };
  const [before, after] = [groupByEnds(a), groupByEnds(b)];
  for (const ends of new Set([...before.keys(), ...after.keys()])) {
    const [oldEdges, newEdges] = [before.get(ends) ?? [], after.get(ends) ?? []];
    const [[oldEdge], [newEdge]] = [oldEdges, newEdges];
    if (oldEdge && newEdge && oldEdges.length === 1 && newEdges.length === 1) {
      const fields = diffFields(oldEdge, newEdge, budget);
      const [source, destination] = [oldEdge.source.id, oldEdge.destination.id];
      if (fields.length > 0) changes.changed.push({ source, destination, fields });
    } else {
      changes.removed.push(...subtractEdges(oldEdges, newEdges));
      changes.added.push(...subtractEdges(newEdges, oldEdges));
    }
  }
  return changes;
}

function groupByEnds(edges: readonly Edge[]): Map<string, Edge[]> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const ends = JSON.stringify([edge.source.id, edge.destination.id]);
    const group = groups.get(ends);
    if (group) group.push(edge);
    else groups.set(ends, [edge]);
  }
  return groups;
}

/** The edges of the first list that have no equal in the second; an equal counts once. */
function subtractEdges(edges: readonly Edge[], others: readonly Edge[]): Edge[] {
  const unmatched = [...others];
  return edges.filter((edge) => {
    const index = unmatched.findIndex((other) => isEqual(edge, other));
    if (index !== -1) unmatched.splice(index, 1);
    return index === -1;
  });
}
