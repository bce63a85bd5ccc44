import { login, signup } from '@millrace/contracts/auth/sessions';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { System } from '@millrace/testkit/start-apps';

export const PASSWORD = 'correct horse battery';

let accounts = 0;

/** An address that no other test uses, so that sign-in limits of one do not touch another. */
export const someAddress = (): string => `10.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

/** A new account, signed in, with the caller that the gateway would make of its session. */
export async function signUp(system: System, email = `user${++accounts}@example.org`) {
  const answer = await system.askAs(null, signup, { body: { email, password: PASSWORD, name: 'Ada' } });
  const caller = await callerOf(system, answer.user.id, answer.access);
  if (!caller) throw new Error('A new session is not known');
  return { ...answer, email, caller };
}

export const signIn = (system: System, email: string, password = PASSWORD, address = someAddress()) =>
  system.askAs(null, login, { body: { email, password } }, { address });

/** Who stands behind an access token now. */
export async function callerOf(system: System, user: string, access: string): Promise<Caller | null> {
  const { caller } = await system.askAs(null, resolveCaller, { body: { user, session: claimsOf(access).sid } });
  return caller;
}

/** What an access token says, unchecked. */
export function claimsOf(access: string): { sub: string; sid: string; vault: string; iat: number; exp: number } {
  const [, payload = ''] = access.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as ReturnType<typeof claimsOf>;
}
