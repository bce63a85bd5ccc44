/**
 * Where a client gets its token from. `current` gives the token to send, or null for none; `renew` is asked once when
 * the server has refused that token, and gives another one, or null where there is none.
 */
export interface TokenSource {
  current(): Promise<string | null>;
  renew?(refused: string): Promise<string | null>;
}

/** A token that is always the same one, like an API token. */
export const fixedToken = (token: string | null): TokenSource => ({ current: () => Promise.resolve(token) });

/** The `Authorization` header: a token with a dot is a session JWT, any other an API token. */
export const authorizationOf = (token: string): string => (token.includes('.') ? `Bearer ${token}` : `Token ${token}`);
