/**
 * Provides a client with its token. `current` returns the token to send, or null. The client calls `renew` once if the
 * server refuses that token; it returns another token, or null.
 */
export interface TokenSource {
  current(): Promise<string | null>;
  renew?(refused: string): Promise<string | null>;
}

/** A source that always returns the same token, such as an API token. */
export const fixedToken = (token: string | null): TokenSource => ({ current: () => Promise.resolve(token) });

/** The `Authorization` header. A token with a dot is a session JWT, any other token is an API token. */
export const authorizationOf = (token: string): string => (token.includes('.') ? `Bearer ${token}` : `Token ${token}`);
