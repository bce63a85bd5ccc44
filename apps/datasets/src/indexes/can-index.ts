import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { INDEX_KINDS, NO_COLUMN, type IndexKind } from '../live/names.js';
import { FIRST_SEEN } from '../live/system-columns.js';

/**
 * Whether an index of a kind can be of a column of a type. Nothing is ordered by json; nor is a boolean worth an index, since
 * half a table is no less to read by one.
 */
export function canIndexType(kind: IndexKind, type: ColumnType): boolean {
  if (kind === 'contains') return type === 'json';
  if (kind === 'trigram') return type === 'text';
  return type !== 'json' && type !== 'boolean';
}

/** Whether an index can be of these columns as they are now. A wish may be older than they are. */
export function canIndexColumns(
  { kind, column, by }: { kind: string; column: number; by: number },
  columns: readonly { number: number; type: string }[],
): boolean {
  const fits = (wanted: number) => {
    const type = wanted === FIRST_SEEN ? 'timestamp' : columns.find(({ number }) => number === wanted)?.type;
    return type !== undefined && isKind(kind) && canIndexType(kind, type as ColumnType);
  };
  return fits(column) && (by === NO_COLUMN || fits(by));
}

const isKind = (kind: string): kind is IndexKind => (INDEX_KINDS as readonly string[]).includes(kind);
