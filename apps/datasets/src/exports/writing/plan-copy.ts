import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { LiveShape } from '../../reading/live-shape.js';
import { type RowSelection, planRows } from '../creation/plan-rows.js';
import { FORMATS } from '../formats/formats.js';
import type { PlannedCopy } from './copy-rows.js';
import { selectRows } from './select-rows.js';

/** How the rows that an export is of are read, in the form that its format wants. @throws QueryError */
export function planCopy(
  { number, columns }: LiveShape,
  asked: RowSelection,
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
