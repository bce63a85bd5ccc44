/** No editor nests deeper. Databases and JSON parsers may fail on deeper nesting. */
const MAX_DEPTH = 200;

export interface BadText {
  /** The first twenty keys on the way to the text. */
  path: string[];
  /** What the data contains there, such as `a NUL byte`. */
  problem: string;
}

/** Finds data that no database can store: a NUL byte, half of a surrogate pair, or too many levels. Null if there is none. */
export function findBadText(data: unknown): BadText | null {
  const found = search(data, 0);
  return found === null ? null : { path: found.keys.slice(0, 20), problem: found.problem };
}

interface Found {
  keys: string[];
  problem: string;
}

function search(value: unknown, depth: number): Found | null {
  if (typeof value === 'string') {
    const problem = describeBadText(value);
    return problem === null ? null : { keys: [], problem };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return { keys: [], problem: `more than ${MAX_DEPTH} levels` };
  for (const key of Object.keys(value)) {
    const problem = describeBadText(key);
    if (problem !== null) return { keys: [], problem: `a key with ${problem}` };
    const found = search((value as Record<string, unknown>)[key], depth + 1);
    if (found !== null) return { keys: [key, ...found.keys], problem: found.problem };
  }
  return null;
}

/** Returns what makes a text impossible to store, such as `a NUL byte`, or null. */
export function describeBadText(text: string): string | null {
  if (text.includes('\u0000')) return 'a NUL byte';
  return text.isWellFormed() ? null : 'half of a surrogate pair';
}
