import { hash } from 'node:crypto';

/** SHA-256 (hex) of the token in `Token <API token>`; undefined for anything else. A token with a dot is a JWT, and none of these. */
export function readApiToken(authorization: string | undefined): string | undefined {
  const [, token] = /^Token +([^\s.]+) *$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : hash('sha256', token, 'hex');
}
