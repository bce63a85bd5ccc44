/** Removes everything from a URL that may be secret: user name, password, query and fragment. For messages and logs. */
export function redactUrl(url: string | URL): string {
  if (!URL.canParse(String(url))) return 'an invalid URL';
  const { protocol, host, pathname } = new URL(url);
  const redacted = `${protocol}//${host}${pathname}`;
  return redacted.length > 200 ? `${redacted.slice(0, 200)}…` : redacted;
}
