import { authorizationOf, isHeader } from './token-source.js';

/**
 * Adds the token to the headers of a request.
 * @throws TypeError for a header that `fetch` would reject. The message does not contain the value, which may be secret.
 */
export function requestHeaders(headers: Record<string, string>, token: string | null): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeader(name, value))
      throw new TypeError(`The header ${JSON.stringify(name)} contains a character that HTTP does not permit`);
  }
  return { ...headers, ...(token !== null && { authorization: authorizationOf(token) }) };
}
