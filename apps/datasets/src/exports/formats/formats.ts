import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { ExportedColumn } from '../writing/export-task.js';
import type { SelectList } from '../writing/select-rows.js';
import { tupleList } from '../writing/tuple-list.js';
import { writeCsv } from '../writing/write-csv.js';
import { SEPARATOR, writeJson } from '../writing/write-json.js';
import { csvList } from './csv-format.js';
import { jsonList } from './json-format.js';
import { writeParquet } from './parquet-format.js';

interface Format {
  list: SelectList;
  /** Options of COPY. */
  copy: string;
  /** Makes the file of what COPY gives. */
  write: (columns: readonly ExportedColumn[], rows: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/** JSON holds no character below U+0020, so that of these nothing is quoted and each row is its line. */
const LINES = `(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`;

/** How each format is made: as much as can be by Postgres, the rest in a thread. */
export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: {
    list: csvList,
    copy: '(FORMAT csv)',
    write: (columns, rows) =>
      writeCsv(
        columns.map(({ name }) => name),
        rows,
      ),
  },
  json: { list: jsonList(SEPARATOR), copy: LINES, write: (_columns, rows) => writeJson(rows) },
  ndjson: { list: jsonList(), copy: LINES, write: (_columns, rows) => rows },
  parquet: { list: tupleList, copy: '(FORMAT binary)', write: writeParquet },
};
