/** No editor nests deeper; a database or a JSON parser further on may well fail on what does. */
const MAX_DEPTH = 200;

export interface BadText {
  /** Keys that lead there, the first twenty. */
  path: string[];
  what: string;
}

/** Where data holds what no database takes: a NUL, half of a surrogate pair, too many levels. Null where all is well. */
export function findBadText(data: unknown): BadText | null {
  const found = search(data, 0);
  return found === null ? null : { path: found.keys.slice(0, 20), what: found.what };
}

interface Found {
  keys: string[];
  what: string;
}

function search(value: unknown, depth: number): Found | null {
  if (typeof value === 'string') {
    const what = badText(value);
    return what === null ? null : { keys: [], what };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return { keys: [], what: `more than ${MAX_DEPTH} levels` };
  for (const key of Object.keys(value)) {
    const what = badText(key);
    if (what !== null) return { keys: [], what: `a key with ${what}` };
    const found = search((value as Record<string, unknown>)[key], depth + 1);
    if (found !== null) return { keys: [key, ...found.keys], what: found.what };
  }
  return null;
}

export function badText(text: string): string | null {
  if (text.includes('\u0000')) return 'a NUL byte';
  return text.isWellFormed() ? null : 'half of a surrogate pair';
}
