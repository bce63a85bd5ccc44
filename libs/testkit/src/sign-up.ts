import { resolveCaller } from '@millrace/contracts/auth/callers';
import { login, signup } from '@millrace/contracts/auth/sessions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import type { CallAs } from './gateway-rpc-client.js';

type Asking = { callAs: CallAs };

export const PASSWORD = 'correct horse battery';

/** An address that no other test uses, so that the sign-in limits of one do not touch another. */
export const someAddress = (): string => `10.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

/** A new account, signed in, with the caller that the gateway would make of its session. */
export async function signUp({ callAs }: Asking, email = `user-${newId()}@example.org`) {
  const answer = await callAs(null, signup, { body: { email, password: PASSWORD, name: 'Ada' } });
  const caller = await callerOf({ callAs }, answer.user.id, answer.access);
  if (!caller) throw new Error('A new session is not known');
  return { ...answer, email, caller };
}

export const signIn = ({ callAs }: Asking, email: string, password = PASSWORD, address = someAddress()) =>
  callAs(null, login, { body: { email, password } }, { address });

/** Who stands behind an access token now. */
export async function callerOf({ callAs }: Asking, user: string, access: string): Promise<Caller | null> {
  const session = claimsOf(access).sid;
  const { caller } = await callAs(null, resolveCaller, { body: { user, session } });
  return caller && { ...caller, credential: 'session', session };
}

/** What an access token says, unchecked. */
export function claimsOf(access: string): { sub: string; sid: string; vault: string; iat: number; exp: number } {
  const [, payload = ''] = access.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as ReturnType<typeof claimsOf>;
}
