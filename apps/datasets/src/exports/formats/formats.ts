import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { LiveShape } from '../../reading/live-shape.js';
import type { PlannedCopy } from '../writing/copy-rows.js';
import { type RowSelection, planRows, selectRows } from '../writing/select-rows.js';
import { CSV_FORMAT } from './csv-format.js';
import type { Format } from './format.js';
import { JSON_FORMAT, NDJSON_FORMAT } from './json-format.js';
import { PARQUET_FORMAT } from './parquet-format.js';

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: CSV_FORMAT,
  json: JSON_FORMAT,
  ndjson: NDJSON_FORMAT,
  parquet: PARQUET_FORMAT,
};

/** Plans how to read the rows of an export in the form that its format needs. @throws QueryError */
export function planCopy(
  { number, columns }: LiveShape,
  selection: RowSelection,
  format: ExportFormat,
  now: Date,
): PlannedCopy {
  const rows = planRows(number, columns, selection, now);
  const { selectList, copyOptions } = FORMATS[format];
  return {
    statement: selectRows(rows, selectList),
    options: copyOptions,
    columns: rows.fields.map(({ name, column }) => ({ name, type: column.type })),
  };
}
