/** Maximum nesting of a request. `JSON.stringify` and Postgres run out of stack after some thousand levels. */
export const MAX_DEPTH = 500;

/**
 * Finds content of a JSON value that cannot be stored or forwarded: nesting beyond `MAX_DEPTH`, a number out of range
 * (`1e400` parses as infinity), and NUL or half of a surrogate pair in a text or a key. It walks level by level instead
 * of recursing, so no depth can exhaust the stack. The gateway checks every request with it.
 * @returns the problem, in words that follow a field's name; null if there is none
 */
export function findBadJson(value: unknown): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels deep`;
    const nextLevel: unknown[] = [];
    for (const node of level) {
      const problem = findBadScalar(node);
      if (problem !== null) return problem;
      if (Array.isArray(node)) for (const item of node as unknown[]) nextLevel.push(item);
      else if (typeof node === 'object' && node !== null)
        for (const key of Object.keys(node)) nextLevel.push(key, (node as Record<string, unknown>)[key]);
    }
    level = nextLevel;
  }
  return null;
}

function findBadScalar(value: unknown): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must not contain a number that is out of range';
  if (typeof value !== 'string') return null;
  if (value.includes('\0')) return 'must not contain a NUL character';
  return value.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}
