const HERE = 'http://here.invalid';

/** A path of our own with its query; anything that a browser would take elsewhere is not one. */
export function ownPath(given: unknown, fallback: string): string {
  if (typeof given !== 'string' || given.length > 1024 || !given.startsWith('/') || !URL.canParse(given, HERE)) {
    return fallback;
  }
  const url = new URL(given, HERE);
  // As a URL parser writes it, so that no second reading differs; `/..//x` becomes `//x`, which is a host.
  return url.origin === HERE && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : fallback;
}
