import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Dataset, DatasetColumn, LoadPart } from '@millrace/persistence/generated/client';
import type { KnownColumn, StagedShape } from '../staging/staged-shape.js';
import { unionTypes } from './union-types.js';

type TableWithColumns = Pick<Dataset, 'rows'> & { columns: DatasetColumn[] };

/** The type that rows have to fit or widen; null if the table is empty and no user has set the type. */
export const fixedType = ({ rows }: Pick<Dataset, 'rows'>, { type, declared }: DatasetColumn): ColumnType | null =>
  rows === 0n && !declared ? null : (type as ColumnType);

/** Shapes of the batches that are read so far. The first part of each batch has the shape. */
export const stagedShapes = (parts: readonly Pick<LoadPart, 'shape'>[]): StagedShape[] =>
  parts.flatMap(({ shape }) => (shape === null ? [] : [shape as unknown as StagedShape]));

/**
 * The columns of a table and of the batches that a load has staged so far, each wide enough for both.
 * @param inexact names of columns with integers that a double cannot represent exactly
 */
export function knownColumns(
  dataset: TableWithColumns,
  shapes: readonly StagedShape[],
  inexact: ReadonlySet<string>,
): KnownColumn[] {
  const known = new Map<string, KnownColumn>();
  for (const column of dataset.columns) {
    const { name, keyPosition } = column;
    known.set(name, { name, type: fixedType(dataset, column), key: keyPosition !== null });
  }
  for (const { name, type } of shapes.flatMap(({ columns }) => columns)) {
    const former = known.get(name) ?? { name, type: null, key: false };
    known.set(name, { ...former, type: widest(former, type) });
  }
  return [...known.values()].map((column) =>
    column.type === 'double' && inexact.has(column.name) ? { ...column, type: 'text' } : column,
  );
}

const widest = ({ type, key }: KnownColumn, other: ColumnType | null): ColumnType | null =>
  type === null || other === null ? (type ?? other) : unionTypes(type, other, key);
