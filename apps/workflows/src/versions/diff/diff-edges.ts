import type { z } from 'zod';
import type { versionDiff } from '@millrace/contracts/workflows/versions';
import { diffFields, isEqual, type SizeBudget } from './diff-records.js';

export type EdgeChanges = z.input<typeof versionDiff>['edges'];
export type Edge = EdgeChanges['added'][number];

/**
 * The changes between two lists of edges, whose order does not count. An edge is identified by its two ends. If several
 * edges have the same ends, one that differs counts as one removed and one added.
 */
export function diffEdges(a: readonly Edge[], b: readonly Edge[], budget: SizeBudget): EdgeChanges {
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
