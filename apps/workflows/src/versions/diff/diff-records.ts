import type { z } from 'zod';
import type { versionDiff } from '@millrace/contracts/workflows/versions';
import { isRecord, fieldOf } from '@millrace/graph/data/is-record';

type Diff = z.input<typeof versionDiff>;
export type RecordChanges = Diff['nodes'];
export type FieldChange = Diff['other'][number];
export type Json = Record<string, unknown>;

/** Bytes left for the paths of changes, beside the changed values; shared by a whole diff. */
export interface SizeBudget {
  remainingBytes: number;
}

/**
 * Deeply nested data, or data in a million pieces, would have a diff many times its own size. When the budget is used
 * up, a difference is shown as one change of the whole value.
 */
export const newSizeBudget = (): SizeBudget => ({ remainingBytes: 6 * 1024 * 1024 });

/** The size of one change as JSON, without its path and its values. */
const CHANGE_BYTES = 40;

/** The changes between two maps of named records. */
export function diffRecords(a: Json, b: Json, budget: SizeBudget): RecordChanges {
  const changes: RecordChanges = { added: [], removed: [], changed: [] };
  for (const name of unionOfKeys(a, b)) {
    if (!Object.hasOwn(a, name)) changes.added.push(name);
    else if (!Object.hasOwn(b, name)) changes.removed.push(name);
    else {
      const fields = diffFields(a[name], b[name], budget);
      if (fields.length > 0) changes.changed.push({ name, fields });
    }
  }
  return changes;
}

/**
 * The changes between two values, at the deepest path where both are objects. A list counts as one value. The order of
 * keys does not count, as when a version is saved.
 */
export function diffFields(a: unknown, b: unknown, budget: SizeBudget, path: readonly string[] = []): FieldChange[] {
  const ownPath = formatPath(path);
  const whole = () => (isEqual(a, b) ? [] : [{ path: ownPath, before: a, after: b }]);
  if (!isRecord(a) || !isRecord(b)) return whole();
  const keys = unionOfKeys(a, b);
  const bytes = keys.length * (ownPath.length + CHANGE_BYTES);
  if (bytes > budget.remainingBytes) return whole();
  budget.remainingBytes -= bytes;
  return keys.flatMap((key): FieldChange[] => {
    const keyPath = [...path, key];
    if (!Object.hasOwn(a, key)) return [{ path: formatPath(keyPath), after: b[key] }];
    if (!Object.hasOwn(b, key)) return [{ path: formatPath(keyPath), before: a[key] }];
    return diffFields(a[key], b[key], budget, keyPath);
  });
}

/** Joins keys with dots. A dot or backslash inside a key is escaped with a backslash; an empty key is `\0`. */
const formatPath = (keys: readonly string[]): string =>
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

/** Reads a group of a version's data by its name, such as `nodes`; empty if there is none. Accepts any data. */
export function readGroup(data: unknown, name: string): Record<string, unknown> {
  const group = fieldOf(data, name);
  return isRecord(group) ? group : {};
}
