import type { z } from 'zod';
import type { versionDiff } from '@millrace/contracts/workflows/versions';
import { diffFields, isEqual, type SizeBudget } from './diff-records.js';

export type EdgeChanges = z.input<typeof versionDiff>['edges'];
export type Edge = EdgeChanges['added'][number];

/**
 * What differs between two lists of edges. An edge is known by its two ends, and their order is none; where several have
 * the same ends, one that differs is one that went and one that came.
 */
export function diffEdges(a: readonly Edge[], b: readonly Edge[], room: SizeBudget): EdgeChanges {
  const changes: EdgeChanges = { added: [], removed: [], changed: [] };
  const [before, after] = [groupByEnds(a), groupByEnds(b)];
  for (const ends of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(ends) ?? [], after.get(ends) ?? []];
    const [[old], [now]] = [was, is];
    if (old && now && was.length === 1 && is.length === 1) {
      const fields = diffFields(old, now, room);
      if (fields.length > 0) changes.changed.push({ source: old.source.id, destination: old.destination.id, fields });
    } else {
      changes.removed.push(...without(was, is));
      changes.added.push(...without(is, was));
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

/** The edges of one list that have no equal left in the other. */
function without(edges: readonly Edge[], others: readonly Edge[]): Edge[] {
  const left = [...others];
  return edges.filter((edge) => {
    const at = left.findIndex((other) => isEqual(edge, other));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
