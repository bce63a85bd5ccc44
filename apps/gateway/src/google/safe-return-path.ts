const BASE_ORIGIN = 'http://here.invalid';

/** The local path and query in `value`; `fallback` if a browser would leave this site with it. */
export function safeReturnPath(value: unknown, fallback: string): string {
  if (typeof value !== 'string' || value.length > 1024 || !value.startsWith('/') || !URL.canParse(value, BASE_ORIGIN)) {
    return fallback;
  }
  const url = new URL(value, BASE_ORIGIN);
  // Returns the form that the URL parser writes, so that a browser parses it the same way. `/..//x` becomes `//x`, a host.
  return url.origin === BASE_ORIGIN && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : fallback;
}
