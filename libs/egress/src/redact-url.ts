/** A URL as it may be shown and logged: without name, password, query and fragment, any of which may be a secret. */
export function redactUrl(url: string | URL): string {
  if (!URL.canParse(String(url))) return 'a URL that cannot be read';
  const { protocol, host, pathname } = new URL(url);
  const shown = `${protocol}//${host}${pathname}`;
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
}
