/**
 * JSON in which keys are sorted, so that two values that differ in the order of keys alone give the same text. Written out
 * by hand, for `JSON.stringify` with a replacer that sorts takes three times as long, and a version may hold 10 MiB.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item) || 'null').join(',')}]`;
  const record = value as Record<string, unknown>;
  const parts: string[] = [];
  for (const key of Object.keys(record).sort()) {
    const text = canonicalJson(record[key]);
    if (text !== '') parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}
