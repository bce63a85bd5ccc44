import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { INDEX_KINDS, NO_COLUMN, type IndexKind } from '../live/names.js';
import { FIRST_SEEN } from '../live/system-columns.js';

/**
 * Whether a column of this type can have an index of this kind. A json value has no useful order. An index on a boolean is
 * not worth its cost, because it leaves half of the table to read.
 */
export function canIndexType(kind: IndexKind, type: ColumnType): boolean {
  if (kind === 'contains') return type === 'json';
  if (kind === 'trigram') return type === 'text';
  return type !== 'json' && type !== 'boolean';
}

/** Whether an index still fits the current columns, which may have changed since it was requested. */
export function canIndexColumns(
  { kind, column, by }: { kind: string; column: number; by: number },
  columns: readonly { number: number; type: string }[],
): boolean {
  const canIndex = (columnNumber: number) => {
    const type =
      columnNumber === FIRST_SEEN ? 'timestamp' : columns.find(({ number }) => number === columnNumber)?.type;
    return type !== undefined && isKind(kind) && canIndexType(kind, type as ColumnType);
  };
  return canIndex(column) && (by === NO_COLUMN || canIndex(by));
}

const isKind = (kind: string): kind is IndexKind => (INDEX_KINDS as readonly string[]).includes(kind);
