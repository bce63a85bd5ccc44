import type { ColumnType } from '@millrace/contracts/datasets/datasets';

/** A column that rows may have: of the table already, or of what else the load brings. */
export interface KnownColumn {
  name: string;
  /** At least as wide as this; null where it may have any type. */
  type: ColumnType | null;
  key: boolean;
}

/** A column as a batch has staged it. */
export interface StagedColumn {
  name: string;
  /** Null where no row has a value in it. */
  type: ColumnType | null;
  /** Has whole numbers that no double holds. */
  large?: boolean;
  /** Of `c<place>` in the staging table; null where there is none. */
  place: number | null;
}

/** What a batch has staged, in `live.s_<batch>`: `_p` part, `_n` line, `_r` and `_t` reason and text of a rejected row. */
export interface StagedShape {
  columns: StagedColumn[];
  /** Names of the key's columns that it was read for. */
  key: string[];
  /** Rows and rejected rows that lie there; after a crash of Postgres there are fewer, for the table is not logged. */
  staged: number;
  /** A file of it ended too early. */
  broken: boolean;
}
