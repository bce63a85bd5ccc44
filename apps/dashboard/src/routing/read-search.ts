/** A field of an address as text; undefined if it is empty. Every field arrives as a text. */
export const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A field of an address that has one of the known values; undefined for any other. */
export function readChoice<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** A whole number from 1. */
export function readNumber(value: unknown): number | undefined {
  const text = String(value);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The fields of a record that have a value. */
export function withoutEmpty<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
