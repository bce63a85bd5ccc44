import { MAX_COLUMNS, type ColumnType } from '@millrace/contracts/datasets/datasets';
import { ValidationError } from '@millrace/contracts/kit/api-error';

export interface PlannedColumn {
  name: string;
  type: ColumnType;
  keyPosition: number | null;
  /** False for a column of the primary key without a declared type. The first rows determine its type. */
  declared: boolean;
}

/**
 * The columns of a new table: the declared ones, then the columns of the key that are not declared.
 * @throws ValidationError if a name is repeated or there are too many columns
 */
export function planColumns(
  declared: readonly { name: string; type: ColumnType }[],
  key: readonly string[],
): PlannedColumn[] {
  refuseRepeated(
    'body.columns',
    declared.map(({ name }) => name),
  );
  refuseRepeated('body.primary_key', key);
  const keyPositions = new Map(key.map((name, at) => [name, at + 1]));
  const columns = declared.map((column) => ({
    ...column,
    keyPosition: keyPositions.get(column.name) ?? null,
    declared: true,
  }));
  const declaredNames = new Set(declared.map(({ name }) => name));
  const undeclared = key.filter((name) => !declaredNames.has(name));
  const all = [
    ...columns,
    ...undeclared.map((name) => ({
      name,
      type: 'text' as const,
      keyPosition: keyPositions.get(name) ?? null,
      declared: false,
    })),
  ];
  if (all.length > MAX_COLUMNS) {
    const problem = `must not make the table have more than ${MAX_COLUMNS} columns (it would have ${all.length})`;
    throw new ValidationError({ 'body.primary_key': problem });
  }
  return all;
}

function refuseRepeated(detailsKey: string, names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) {
    throw new ValidationError({ [detailsKey]: `must not name a column twice (got ${JSON.stringify(repeated)} twice)` });
  }
}
