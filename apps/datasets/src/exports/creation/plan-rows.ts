import { checkQuery } from '@millrace/query/fields/check-query';
import type { Column } from '@millrace/query/fields/column';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { tableName } from '../../live/names.js';
import type { ExportedRows } from '../writing/select-rows.js';

/** The query of an export as its user wrote it. */
export interface RowSelection {
  q: string;
  select: string;
  order: string;
}

/**
 * Plans the rows and columns of an export. By default it has the table's own columns, so that its file can be loaded again.
 * System columns are included only if `select` names them, or all columns with `*`.
 * @param now the meaning of `now` in the query
 * @throws QueryError
 */
export function planRows(number: number, columns: readonly Column[], selection: RowSelection, now: Date): ExportedRows {
  const own = columns.filter(({ system }) => system !== true);
  const hasOwnColumns = selection.select.trim() === '' && own.length > 0;
  return {
    table: tableName(number),
    fields: hasOwnColumns ? parseSelect('', own) : parseSelect(selection.select, columns),
    condition: checkQuery(parseQuery(selection.q), columns, { now }),
    order: parseOrder(selection.order, columns),
  };
}
