export type KeyValue = string | number | bigint | Date | null;

/** A column of a key. */
export interface KeyColumn {
  /** The model field. */
  field: string;
  type: 'bigint' | 'date' | 'number' | 'text' | 'uuid';
  isNullable?: boolean;
}

type Key = KeyColumn & { descending: boolean };

/** Prisma filter of the rows after one with these values. Null comes last, and first in descending order, as in Postgres. */
export function afterKey(keys: readonly Key[], values: readonly KeyValue[]): object {
  const alternatives = keys.flatMap((key, n) => {
    const after = isAfter(key, values[n] ?? null);
    const equal = keys.slice(0, n).map(({ field }, before) => ({ [field]: values[before] ?? null }));
    return after ? [{ AND: [...equal, after] }] : [];
  });
  return { AND: [...firstBound(keys, values), { OR: alternatives }] };
}

/** @returns null if no value is after this one */
function isAfter({ field, descending, isNullable }: Key, value: KeyValue): object | null {
  if (value === null) return descending ? { [field]: { not: null } } : null;
  if (descending) return { [field]: { lt: value } };
  return isNullable ? { OR: [{ [field]: { gt: value } }, { [field]: null }] } : { [field]: { gt: value } };
}

/** The alternatives imply it, but Postgres finds the place in an index only by a condition like this. */
function firstBound([first]: readonly Key[], [value]: readonly KeyValue[]): object[] {
  if (!first || value === null || value === undefined) return [];
  if (first.descending) return [{ [first.field]: { lte: value } }];
  return first.isNullable ? [] : [{ [first.field]: { gte: value } }];
}
