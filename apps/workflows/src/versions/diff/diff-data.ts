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

/** Parts of the data that are shown apart, under the name that they have there. */
export const GROUPS = {
  nodes: 'nodes',
  inputs: 'primitiveNodes',
  outputs: 'outputNodes',
  annotations: 'annotations',
} as const;
const SEPARATE_PARTS: readonly string[] = [...Object.values(GROUPS), 'connections'];

/** What has to change in the data of one version to have that of another. */
export function diffData(a: Json, b: Json): DataDiff {
  const room = newSizeBudget();
  const groups = Object.entries(GROUPS).map(([shown, group]) => [
    shown,
    diffRecords(readGroup(a, group), readGroup(b, group), room),
  ]);
  const edges = diffEdges(edgesOf(a), edgesOf(b), room);
  const other = [
    ...diffFields(otherParts(a), otherParts(b), room),
    ...SEPARATE_PARTS.flatMap((part) => diffPresence(part, a, b)),
  ];
  const records = Object.fromEntries(groups) as Record<keyof typeof GROUPS, RecordChanges>;
  const same = other.length === 0 && [...Object.values(records), edges].every(isUnchanged);
  return { same, ...records, edges, other };
}

const edgesOf = (data: Json): Edge[] => (Array.isArray(data['connections']) ? (data['connections'] as Edge[]) : []);
const otherParts = (data: Json): Json =>
  Object.fromEntries(Object.entries(data).filter(([key]) => !SEPARATE_PARTS.includes(key)));

/** A part that came empty, or went together with what was in it, shows in no record of it. */
function diffPresence(part: string, a: Json, b: Json): FieldChange[] {
  const empty = part === 'connections' ? [] : {};
  if (Object.hasOwn(a, part) && !Object.hasOwn(b, part)) return [{ path: part, before: empty }];
  if (Object.hasOwn(a, part) || !Object.hasOwn(b, part)) return [];
  return Object.keys(b[part] as object).length === 0 ? [{ path: part, after: empty }] : [];
}

const isUnchanged = ({ added, removed, changed }: RecordChanges | EdgeChanges): boolean =>
  added.length + removed.length + changed.length === 0;
