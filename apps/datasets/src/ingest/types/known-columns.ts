import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Dataset, DatasetColumn, LoadPart } from '@millrace/persistence/generated/client';
import { unionTypes } from './classify-value.js';

/** A column that is known before a batch is read: of the table, or of other parts of the load. */
export interface KnownColumn {
  name: string;
  /** The narrowest possible type; null if any type is possible. */
  type: ColumnType | null;
  key: boolean;
}

/** A column as a batch has staged it. Stored as JSON, so the names of the fields are fixed. */
interface StagedColumn {
  name: string;
  /** Null if no row has a value. */
  type: ColumnType | null;
  /** Has integers that a double cannot represent exactly. */
  large?: boolean;
  /** Number of the column `c<place>` in the staging table; null if there is none. */
  place: number | null;
}

/**
 * Contents of a staging table `live.s_<batch>`: `_p` part, `_n` line, `_r` and `_t` reason and text of a rejected row.
 * Stored as JSON, so the names of the fields are fixed.
 */
export interface StagedShape {
  columns: StagedColumn[];
  /** Names of the key columns that the table had when the batch was read. */
  key: string[];
  /** Number of staged and rejected rows. The table is unlogged, so it has fewer after a crash of Postgres. */
  staged: number;
  /** A file of the batch ended too early. */
  broken: boolean;
}

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
