import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { LiveShape } from '../../reading/live-shape.js';
import { type RowSelection, planRows } from '../creation/plan-rows.js';
import { FORMATS } from '../formats/formats.js';
import type { PlannedCopy } from './copy-rows.js';
import { selectRows } from './select-rows.js';

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
