const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^-?\d{1,20}(\.\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const MAX_FIELDS = 50;

/**
 * Describes the fields of a payload without what users wrote, because that may be a secret. Ids, numbers, times and flags are
 * shown, a text by its length, a list by its number of items.
 */
export function summarizePayload(payload: unknown): Record<string, string> {
  if (typeof payload !== 'object' || payload === null) return { value: summarize(payload) };
  const entries = Object.entries(payload).slice(0, MAX_FIELDS);
  return Object.fromEntries(entries.map(([name, value]) => [name, summarize(value)]));
}

function summarize(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    const isHarmless = UUID.test(value) || NUMBER.test(value) || TIME.test(value);
    return isHarmless ? value : `text of ${value.length} characters`;
  }
  if (Array.isArray(value)) return `list of ${value.length} items`;
  return `object of ${Object.keys(value ?? {}).length} fields`;
}
