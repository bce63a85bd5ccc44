import { MAX_COLUMNS, type ColumnType } from '@millrace/contracts/datasets/datasets';
import { ValidationError } from '@millrace/contracts/kit/api-error';

export interface PlannedColumn {
  name: string;
  type: ColumnType;
  keyPosition: number | null;
  /** False for a column of the primary key whose type nobody said: its first rows will. */
  declared: boolean;
}

/**
 * The columns that a table begins with: those given, and those of its key that are not among them.
 * @throws ValidationError where names come twice, or there are too many
 */
export function planColumns(
  given: readonly { name: string; type: ColumnType }[],
  key: readonly string[],
): PlannedColumn[] {
  refuseRepeated(
    'body.columns',
    given.map(({ name }) => name),
  );
  refuseRepeated('body.primary_key', key);
  const places = new Map(key.map((name, at) => [name, at + 1]));
  const columns = given.map((column) => ({ ...column, keyPosition: places.get(column.name) ?? null, declared: true }));
  const known = new Set(given.map(({ name }) => name));
  const unsaid = key.filter((name) => !known.has(name));
  const all = [
    ...columns,
    ...unsaid.map((name) => ({
      name,
      type: 'text' as const,
      keyPosition: places.get(name) ?? null,
      declared: false,
    })),
  ];
  if (all.length > MAX_COLUMNS)
    throw new ValidationError({ 'body.primary_key': `makes more than ${MAX_COLUMNS} columns` });
  return all;
}

function refuseRepeated(place: string, names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new ValidationError({ [place]: `names ${JSON.stringify(repeated)} twice` });
}
