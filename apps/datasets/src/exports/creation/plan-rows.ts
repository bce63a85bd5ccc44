import { checkQuery } from '@millrace/query/fields/check-query';
import type { Column } from '@millrace/query/fields/column';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { tableName } from '../../live/names.js';
import type { ExportedRows } from '../writing/select-rows.js';

/** The texts of an export as its user wrote them. */
export interface RowSelection {
  q: string;
  select: string;
  order: string;
}

/**
 * Which rows and columns an export holds. Without `select` they are the columns of the table's rows, those that Millrace
 * keeps beside them only where they are named, or all are by `*`: so that a file can be read in again as it is.
 * @param now what `now` means
 * @throws QueryError
 */
export function planRows(number: number, columns: readonly Column[], asked: RowSelection, now: Date): ExportedRows {
  const own = columns.filter(({ system }) => system !== true);
  const isAll = asked.select.trim() === '' && own.length > 0;
  return {
    table: tableName(number),
    fields: isAll ? parseSelect('', own) : parseSelect(asked.select, columns),
    condition: checkQuery(parseQuery(asked.q), columns, { now }),
    order: parseOrder(asked.order, columns),
  };
}
