/** A field of an address as text; empty if it is absent. */
export const readText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Whether a field of an address has one of the known values. */
export const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.includes(value as T);
