import { COLUMN_TYPES, type ColumnType } from '@millrace/contracts/datasets/datasets';
import type { getQueryHelp } from '@millrace/contracts/datasets/rows';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { completeQuery } from '@millrace/query/complete/complete-query';
import type { LiveShape } from '../reading/live-shape.js';

/** Help for an editor at a position of a query: completions, problems and the table's columns. */
export function buildQueryHelp(
  { columns }: Pick<LiveShape, 'columns'>,
  { text, position = text.length }: Input<typeof getQueryHelp>['query'],
): Result<typeof getQueryHelp> {
  return {
    columns: columns.map(({ name, type }) => ({ name, type, operators: OPERATORS.get(type) ?? [] })),
    ...completeQuery(text, position, columns),
  };
}

/** For each column type, the operators that completion offers after a column name. */
const OPERATORS = new Map(COLUMN_TYPES.map((type) => [type, operatorsOf(type)]));

function operatorsOf(type: ColumnType): string[] {
  const { items } = completeQuery('c ', 2, [{ name: 'c', type, sql: 'c1' }]);
  return items.filter(({ kind }) => kind === 'operator').map(({ label }) => label);
}
