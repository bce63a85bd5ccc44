/** Returns the fields that are not undefined. */
export function omitUndefined<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
