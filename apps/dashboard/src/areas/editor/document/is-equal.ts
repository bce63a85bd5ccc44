/** Whether two values are the same JSON, whatever the order of their keys. A missing key and `undefined` are the same. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of Object.keys(left)) if (!isEqual(left[key], right[key])) return false;
  return Object.keys(right).every((key) => key in left || right[key] === undefined);
}
