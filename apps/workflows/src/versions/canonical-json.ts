/** JSON in which keys are sorted, so that two values that differ in the order of keys alone give the same text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortKeys) ?? '';

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
