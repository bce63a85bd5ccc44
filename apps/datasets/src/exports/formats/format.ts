import type { ExportedColumn } from '../writing/export-task.js';
import type { SelectList } from '../writing/select-rows.js';

/** How a file format is written: as far as possible by Postgres, the rest in a thread. */
export interface Format {
  selectList: SelectList;
  /** Options of COPY, with their parentheses. */
  copyOptions: string;
  /** Writes the file from COPY's output. */
  write: (columns: readonly ExportedColumn[], rows: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/**
 * A timestamp as RFC 3339 in UTC, with as many digits of the second as it has. Requires the `DateStyle` ISO. `to_char` takes
 * four times as long.
 */
export const timestampSql = (sql: string): string => `replace((${sql} AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z'`;
