type Scalar = string | number | boolean;

/** The address of an operation: its path below `<base>/api` with the parameters filled in, and the query. */
export function buildUrl(baseUrl: string, path: string, params: unknown, query: unknown): string {
  const given = (params ?? {}) as Record<string, unknown>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathPart(name, given[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, Scalar | undefined>)) {
    if (value !== undefined) search.append(name, String(value));
  }
  const text = search.toString();
  return `${normalizeBase(baseUrl)}/api${filled}${text === '' ? '' : `?${text}`}`;
}

/** A base URL without a slash at its end, and without the `/api` that users like to add. */
export const normalizeBase = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/api$/, '');

/** An empty part would make another path of it, and `..` would leave it. */
function pathPart(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`The path needs "${name}"`);
  const text = String(value);
  if (text === '' || text === '.' || text === '..') throw new TypeError(`"${text}" cannot be "${name}" in a path`);
  return encodeURIComponent(text);
}
