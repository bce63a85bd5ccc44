/** Where text stands that no database takes: a NUL, or half of a surrogate pair. Null where all is well. */
export function findBadText(data: unknown): { path: string; what: string } | null {
  // A stack of our own: a hostile document may be nested deeper than the call stack.
  const open: { value: unknown; path: Path | null }[] = [{ value: data, path: null }];
  const seen = new Set<object>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') {
      const what = badText(value);
      if (what !== null) return { path: showPath(path), what };
    }
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, inner] of Object.entries(value)) {
      const what = badText(key);
      if (what !== null) return { path: showPath(path), what: `a key with ${what}` };
      open.push({ value: inner, path: { key, above: path } });
    }
  }
  return null;
}

interface Path {
  key: string;
  above: Path | null;
}

export function badText(text: string): string | null {
  if (text.includes('\u0000')) return 'a NUL byte';
  return text.isWellFormed() ? null : 'half of a surrogate pair';
}

const showPath = (path: Path | null): string => {
  const keys: string[] = [];
  for (let at = path; at !== null && keys.length < 20; at = at.above) keys.unshift(at.key);
  return keys.join('.') || '(top)';
};
