import type { z } from 'zod';
import type { versionDiff } from '@millrace/contracts/workflows/versions';
import { readGroup } from '../read-group.js';
import { diffEdges, type Edge, type EdgeChanges } from './diff-edges.js';
import {
  diffFields,
  diffRecords,
  newSizeBudget,
  type FieldChange,
  type Json,
  type RecordChanges,
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
