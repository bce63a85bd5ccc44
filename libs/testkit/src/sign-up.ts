import { resolveCaller } from '@millrace/contracts/auth/callers';
import { login, signup } from '@millrace/contracts/auth/sessions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import type { CallAs } from './gateway-rpc-client.js';

type Client = { callAs: CallAs };

export const PASSWORD = 'correct horse battery';

/** A random IP address, so that the sign-in limits of one test do not affect another. */
export const randomAddress = (): string => `10.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

/** Creates an account and signs it in. `caller` is the caller that the gateway resolves from its session. */
export async function signUp({ callAs }: Client, email = `user-${newId()}@example.org`) {
  const session = await callAs(null, signup, { body: { email, password: PASSWORD, name: 'Ada' } });
  const caller = await callerOf({ callAs }, session.user.id, session.access);
  if (!caller) throw new Error('The new session has no caller.');
  return { ...session, email, caller };
}

export const signIn = ({ callAs }: Client, email: string, password = PASSWORD, address = randomAddress()) =>
  callAs(null, login, { body: { email, password } }, { address });

/** The current caller of an access token. */
export async function callerOf({ callAs }: Client, user: string, access: string): Promise<Caller | null> {
  const session = claimsOf(access).sid;
  const { caller } = await callAs(null, resolveCaller, { body: { user, session } });
  return caller && { ...caller, credential: 'session', session };
}

/** The claims of an access token, without verification. */
export function claimsOf(access: string): { sub: string; sid: string; vault: string; iat: number; exp: number } {
  const [, payload = ''] = access.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as ReturnType<typeof claimsOf>;
}
