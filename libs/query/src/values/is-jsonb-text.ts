/** Deeper json is no user's; Postgres would run out of stack at some thousands. */
const MAX_DEPTH = 500;

/** Whether Postgres takes a text as jsonb: JSON without NUL and halves of characters, of numbers that a double holds. */
export function isJsonbText(text: string): boolean {
  try {
    return holds(JSON.parse(text), 0);
  } catch {
    return false;
  }
}

function holds(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  return Object.entries(value).every(([key, inner]) => holds(key, depth) && holds(inner, depth + 1));
}
