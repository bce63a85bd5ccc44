import { isId } from '@millrace/persistence/ids';
import { randomSecret } from '../random-token.js';

/** `<session>.<secret>`: the session can be found, and ended, by a refresh token that is no longer its newest. */
export const makeRefreshToken = (session: string): string => `${session}.${randomSecret()}`;

/** The session that a refresh token names; null where it cannot be one of ours. */
export function sessionOf(refresh: string): string | null {
  const [session = '', secret = '', ...rest] = refresh.split('.');
  return isId(session) && secret !== '' && rest.length === 0 ? session : null;
}
