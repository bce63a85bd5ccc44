import type { ColumnType } from '@millrace/contracts/datasets/datasets';

/** A column that is known before a batch is read: of the table, or of other parts of the load. */
export interface KnownColumn {
  name: string;
  /** The narrowest possible type; null if any type is possible. */
  type: ColumnType | null;
  key: boolean;
}

/** A column as a batch has staged it. Stored as JSON, so the names of the fields are fixed. */
export interface StagedColumn {
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
