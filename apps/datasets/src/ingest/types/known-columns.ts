import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Dataset, DatasetColumn, LoadPart } from '@millrace/persistence/generated/client';
import type { KnownColumn, StagedShape } from '../staging/staged-shape.js';
import { unionTypes } from './union-types.js';

type TableWithColumns = Pick<Dataset, 'rows'> & { columns: DatasetColumn[] };

/** The type that rows must fit into or widen; none where the table is empty and nobody has said one. */
export const fixedType = ({ rows }: Pick<Dataset, 'rows'>, { type, declared }: DatasetColumn): ColumnType | null =>
  rows === 0n && !declared ? null : (type as ColumnType);

/** What the parts of a load have staged, as far as they are read; the first of each batch has it. */
export const stagedShapes = (parts: readonly Pick<LoadPart, 'shape'>[]): StagedShape[] =>
  parts.flatMap(({ shape }) => (shape === null ? [] : [shape as unknown as StagedShape]));

/**
 * The columns of a table and of what a load has staged so far, each as wide as both need it.
 * @param large names of those that have whole numbers which no double holds
 */
export function knownColumns(
  dataset: TableWithColumns,
  shapes: readonly StagedShape[],
  large: ReadonlySet<string>,
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
  return [...known.values()].map((one) =>
    one.type === 'double' && large.has(one.name) ? { ...one, type: 'text' } : one,
  );
}

const widest = ({ type, key }: KnownColumn, other: ColumnType | null): ColumnType | null =>
  type === null || other === null ? (type ?? other) : unionTypes(type, other, key);
