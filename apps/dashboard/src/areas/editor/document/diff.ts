import { type Document, type Records, type Table, TABLES } from './document.js';
import { isEqual } from './is-equal.js';

/** A record before and after an edit. Undefined: it does not exist. */
export interface Change<T extends Table = Table> {
  table: T;
  key: string;
  before: Records[T] | undefined;
  after: Records[T] | undefined;
}

/** An edit as data: it can be applied, reverted, stored and merged. Each record occurs once. */
export type Diff = readonly Change[];

/** The change of one record. */
export const change = <T extends Table>(
  document: Document,
  table: T,
  key: string,
  after: Records[T] | undefined,
): Change => ({ table, key, before: document[table][key], after });

/** Costs a copy of each changed table: 1 ms for 5,000 nodes. */
export function applyDiff(document: Document, diff: Diff): Document {
  if (diff.length === 0) return document;
  const tables: Partial<Record<Table, Record<string, unknown>>> = {};
  for (const { table, key, after } of diff) {
    const records = (tables[table] ??= { ...document[table] });
    if (after === undefined) delete records[key];
    else records[key] = after;
  }
  return { ...document, ...tables } as Document;
}

export const revertDiff = (diff: Diff): Diff => diff.map((one) => ({ ...one, before: one.after, after: one.before }));

/** One diff with the effect of two in a row. Records that end as they began are left out. */
export function squashDiffs(first: Diff, second: Diff): Diff {
  const changes = new Map<string, Change>();
  for (const next of [...first, ...second]) {
    const id = `${next.table} ${next.key}`;
    const before = changes.get(id);
    changes.set(id, before ? { ...next, before: before.before } : next);
  }
  return [...changes.values()].filter(({ before, after }) => !isEqual(before, after));
}

/** The changes from one document to another. Records that are the same objects are compared by identity. */
export function diffDocuments(from: Document, to: Document): Diff {
  return TABLES.flatMap((table) => {
    if (from[table] === to[table]) return [];
    const keys = new Set([...Object.keys(from[table]), ...Object.keys(to[table])]);
    return [...keys].flatMap((key) => {
      const [before, after] = [from[table][key], to[table][key]];
      return isEqual(before, after) ? [] : [{ table, key, before, after }];
    });
  });
}
