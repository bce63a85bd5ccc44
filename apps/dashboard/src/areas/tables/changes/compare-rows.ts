import type { RowComparison, RowsChangesResponse } from '@millrace/client';

export type Change = RowsChangesResponse['results'][number];
export type ChangeKind = Change['kind'];

export interface CellChange {
  before: unknown;
  after: unknown;
  isChanged: boolean;
}

/** Whether two values of the API are the same. Keys of objects have no order. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other || (isMissing(one) && isMissing(other))) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ones, others] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const keys = Object.keys(ones);
  return (
    keys.length === Object.keys(others).length &&
    keys.every((key) => Object.hasOwn(others, key) && isSameValue(ones[key], others[key]))
  );
}

const isMissing = (value: unknown): boolean => value === null || value === undefined;

/** A cell of a change. Only a changed row has a value before and one after. */
export function compareCell({ kind, before, after }: Change, column: string): CellChange {
  const [old, now] = [before?.[column], after?.[column]];
  if (kind === 'new') return { before: undefined, after: now, isChanged: false };
  if (kind === 'gone') return { before: old, after: old, isChanged: false };
  return { before: old, after: now, isChanged: !isSameValue(old, now) };
}

/** The columns that identify the rows, and those in which one of the changed rows differs. For other kinds all columns. */
export function chooseColumns<Column extends { name: string; primary_key: boolean }>(
  columns: readonly Column[],
  changes: readonly Change[],
  kind: ChangeKind,
): Column[] {
  if (kind !== 'changed') return [...columns];
  return columns.filter(
    ({ name, primary_key: isKey }) => isKey || changes.some((change) => compareCell(change, name).isChanged),
  );
}

/** A difference between two runs as a change from the first to the second. */
export const toChange = ({ change, row, key, a, b }: RowComparison): Change => ({
  kind: change,
  row,
  ...(a && { before: { ...key, ...a } }),
  ...(b && { after: { ...key, ...b } }),
});
