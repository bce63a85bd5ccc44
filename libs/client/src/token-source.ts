/**
 * Provides a client with its token. `current` returns the token to send, or null. The client calls `renew` once if the
 * server refuses that token; it returns another token, or null.
 */
export interface TokenSource {
  current(): Promise<string | null>;
  renew?(refused: string): Promise<string | null>;
}

/** A source that always returns the same token, such as an API token. @throws TypeError if HTTP does not permit it */
export function fixedToken(token: string | null): TokenSource {
  if (token !== null) authorizationOf(token);
  return { current: () => Promise.resolve(token) };
}

/**
 * The `Authorization` header. A token with a dot is a session JWT, any other token is an API token.
 * @throws TypeError, which does not contain the token, if HTTP does not permit it
 */
export function authorizationOf(token: string): string {
  const authorization = token.includes('.') ? `Bearer ${token}` : `Token ${token}`;
  if (isHeader('authorization', authorization)) return authorization;
  throw new TypeError('The token contains a character that HTTP does not permit, such as a line break');
}

/** Whether `fetch` accepts a header. It removes white space around a value itself. */
export function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
