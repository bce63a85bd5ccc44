const BASE = 'http://app.invalid';

/**
 * A path of this app that a link may lead to after a sign-in; `/` for anything else. A foreign address here would send users who
 * trust the sign-in page to another site.
 */
export function localPath(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return '/';
  const url = URL.canParse(value, BASE) ? new URL(value, BASE) : undefined;
  // The path of `/.//evil.example` is `//evil.example`, which a browser reads as a host.
  if (url?.origin !== BASE || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
