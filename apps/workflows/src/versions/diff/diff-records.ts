import type { z } from 'zod';
import type { versionDiff } from '@millrace/contracts/workflows/versions';
import { isRecord } from '@millrace/graph/data/is-record';

type Diff = z.input<typeof versionDiff>;
export type RecordChanges = Diff['nodes'];
export type FieldChange = Diff['other'][number];
export type Json = Record<string, unknown>;

/** Bytes that may still go into places of changes, beside what has changed there; counted down for a whole diff. */
export interface SizeBudget {
  remainingBytes: number;
}

/**
 * Data that is nested deeply, or in a million pieces, would have a diff of many times its size. Without room left, what
 * differs is shown as a whole.
 */
export const newSizeBudget = (): SizeBudget => ({ remainingBytes: 6 * 1024 * 1024 });

/** What one change takes beside its place and its values, as JSON. */
const CHANGE_BYTES = 40;

/** What differs between two maps of named records. */
export function diffRecords(a: Json, b: Json, room: SizeBudget): RecordChanges {
  const changes: RecordChanges = { added: [], removed: [], changed: [] };
  for (const name of unionOfKeys(a, b)) {
    if (!Object.hasOwn(a, name)) changes.added.push(name);
    else if (!Object.hasOwn(b, name)) changes.removed.push(name);
    else {
      const fields = diffFields(a[name], b[name], room);
      if (fields.length > 0) changes.changed.push({ name, fields });
    }
  }
  return changes;
}

/**
 * What differs between two values, at the deepest place where both are objects; a list counts as one value. The order of
 * keys is none, as when a version is saved.
 */
export function diffFields(a: unknown, b: unknown, room: SizeBudget, path: readonly string[] = []): FieldChange[] {
  const place = writePath(path);
  const whole = () => (isEqual(a, b) ? [] : [{ path: place, before: a, after: b }]);
  if (!isRecord(a) || !isRecord(b)) return whole();
  const keys = unionOfKeys(a, b);
  const taken = keys.length * (place.length + CHANGE_BYTES);
  if (taken > room.remainingBytes) return whole();
  room.remainingBytes -= taken;
  return keys.flatMap((key): FieldChange[] => {
    const below = [...path, key];
    if (!Object.hasOwn(a, key)) return [{ path: writePath(below), after: b[key] }];
    if (!Object.hasOwn(b, key)) return [{ path: writePath(below), before: a[key] }];
    return diffFields(a[key], b[key], room, below);
  });
}

/** Keys with dots between; a dot or backslash inside of a key has a backslash before it, and an empty key is `\0`. */
const writePath = (keys: readonly string[]): string =>
  keys.map((key) => (key === '' ? String.raw`\0` : key.replaceAll(/[.\\]/g, String.raw`\$&`))).join('.');

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

const unionOfKeys = (a: Json, b: Json): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])];
