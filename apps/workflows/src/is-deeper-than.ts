/** Deepest nesting of JSON that is taken in; beyond some thousands, `JSON.stringify` and Postgres run out of stack. */
export const MAX_DEPTH = 500;

/** Whether a JSON value is nested more than `limit` levels deep. Goes level by level, so that no depth can harm it. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
