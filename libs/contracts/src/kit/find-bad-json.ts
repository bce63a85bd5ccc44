/** Deepest nesting that is taken in; beyond some thousands `JSON.stringify` and Postgres run out of stack. */
export const MAX_DEPTH = 500;

/**
 * Says what in a JSON value cannot be stored or passed on as it is: nesting beyond `MAX_DEPTH`, a number out of range
 * (`1e400` reads as infinity), a NUL character or half of a surrogate pair in a text or a key. Goes level by level, so
 * that no depth can harm it. The gateway asks this of every request.
 * @returns null where all is well
 */
export function findBadJson(value: unknown): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels deep`;
    const below: unknown[] = [];
    for (const one of level) {
      const problem = findBadScalar(one);
      if (problem !== null) return problem;
      if (Array.isArray(one)) for (const item of one as unknown[]) below.push(item);
      else if (typeof one === 'object' && one !== null)
        for (const key of Object.keys(one)) below.push(key, (one as Record<string, unknown>)[key]);
    }
    level = below;
  }
  return null;
}

function findBadScalar(value: unknown): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must not contain a number that is out of range';
  if (typeof value !== 'string') return null;
  if (value.includes('\0')) return 'must not contain a NUL character';
  return value.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}
