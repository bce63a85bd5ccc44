import { MillraceClient } from '@millrace/client';

/**
 * The gateway stores the session in cookies that scripts cannot read. This header makes a sign-in set them. A page of another
 * origin cannot send it, so nobody can be signed in without noticing.
 */
const SESSION_HEADERS = { 'x-millrace-session': 'cookie' };

/** Headers of a request with those of the session. */
export const sessionHeaders = (headers: RequestInit['headers']): Record<string, string> => ({
  ...Object.fromEntries(new Headers(headers)),
  ...SESSION_HEADERS,
});

/** The client of all pages. Its requests have the session's cookies, which the browser adds. */
export const client = new MillraceClient({
  baseUrl: location.origin,
  fetch: (url, init) => fetch(url, { ...init, credentials: 'same-origin', headers: sessionHeaders(init.headers) }),
});

/** The address of a path of the API, for links and images. */
export const apiUrl = (path: string): string => `/api${path}`;
