import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { LiveShape } from '../../reading/live-shape.js';
import { type AskedRows, planRows } from '../plan-rows.js';
import type { PlannedCopy } from './copy-rows.js';
import { FORMATS } from './formats.js';
import { selectRows } from './select-rows.js';

/** How the rows that an export is of are read, in the form that its format wants. @throws QueryError */
export function planCopy(
  { number, columns }: LiveShape,
  asked: AskedRows,
  format: ExportFormat,
  now: Date,
): PlannedCopy {
  const rows = planRows(number, columns, asked, now);
  const { list, copy } = FORMATS[format];
  return {
    statement: selectRows(rows, list),
    options: copy,
    columns: rows.fields.map(({ name, column }) => ({ name, type: column.type })),
  };
}
