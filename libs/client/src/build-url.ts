type Scalar = string | number | boolean;

/** The URL of an operation: `<base>/api`, the path with its parameters, and the query. */
export function buildUrl(baseUrl: string, path: string, params: unknown, query: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toPathPart(name, values[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, Scalar | undefined>)) {
    if (value !== undefined) search.append(name, String(value));
  }
  const text = search.toString();
  return `${normalizeBase(baseUrl)}/api${filled}${text === '' ? '' : `?${text}`}`;
}

/**
 * Returns the base of all URLs of a client.
 * @throws TypeError if it is not the address of a server. The message does not contain a password.
 */
export function parseBase(baseUrl: string): string {
  const base = typeof baseUrl === 'string' ? normalizeBase(baseUrl) : '';
  const problem = findProblem(parse(`${base}/api`));
  if (problem === null) return base;
  const isSecret = base.includes('@');
  throw new TypeError(`\`baseUrl\` ${problem}${isSecret ? '' : ` (got ${JSON.stringify(baseUrl)})`}`);
}

function findProblem(url: URL | null): string | null {
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return 'must be an http or https address, such as "http://127.0.0.1:8080"';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user or a password; pass a `token` instead';
  return url.search === '' && url.hash === '' ? null : 'must not contain "?" or "#"';
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** Removes slashes at the end of a base URL, and the `/api` that users often append. */
export const normalizeBase = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/api$/, '');

/** Rejects values that would lead to a different path: an empty part, `.` and `..`. */
function toPathPart(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new TypeError(`The path parameter "${name}" must be a string or a number`);
  const text = String(value);
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`The path parameter "${name}" must not be "${text}"`);
  return encodeURIComponent(text);
}
