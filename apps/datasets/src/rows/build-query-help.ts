import { COLUMN_TYPES, type ColumnType } from '@millrace/contracts/datasets/datasets';
import type { getQueryHelp } from '@millrace/contracts/datasets/rows';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { completeQuery } from '@millrace/query/complete-query';
import type { LiveShape } from '../reading/live-shape.js';

/** What an editor needs at a position of a query: what may come next, what is wrong, and which columns there are. */
export function buildQueryHelp(
  { columns }: Pick<LiveShape, 'columns'>,
  { text, position = text.length }: Input<typeof getQueryHelp>['query'],
): Result<typeof getQueryHelp> {
  return {
    columns: columns.map(({ name, type }) => ({ name, type, operators: OPERATORS.get(type) ?? [] })),
    ...completeQuery(text, position, columns),
  };
}

/** By type of column: what would be offered behind the name of one. */
const OPERATORS = new Map(COLUMN_TYPES.map((type) => [type, operatorsOf(type)]));

function operatorsOf(type: ColumnType): string[] {
  const { items } = completeQuery('c ', 2, [{ name: 'c', type, sql: 'c1' }]);
  return items.filter(({ kind }) => kind === 'operator').map(({ label }) => label);
}
