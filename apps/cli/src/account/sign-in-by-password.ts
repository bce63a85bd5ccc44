import type { CallResult } from '@millrace/sdk/call-input';
import type { MillraceClient } from '@millrace/sdk/client';
import { MillraceError } from '@millrace/sdk/millrace-error';
import { sessions } from '@millrace/sdk/resources';
import { openClient } from './connect.js';
import { saveAccount } from './credentials-file.js';
import type { Prompt } from './prompt.js';

type SignedIn = CallResult<typeof sessions.login>;

interface PasswordSignIn {
  /** The credentials file. */
  file: string;
  url: string;
  email: string;
  prompt: Prompt;
}

/** Asks for the password, and for the second factor where one is on. */
export async function signInByPassword({ file, url, email, prompt }: PasswordSignIn): Promise<string> {
  const password = await prompt.readLine('Password: ', { secret: true });
  const { access, refresh, expiresAt, user } = await login(openClient(url), { email, password }, prompt);
  await saveAccount(file, url, { email: user.email, session: { access, refresh, expiresAt } });
  return user.email;
}

async function login(
  client: MillraceClient,
  given: { email: string; password: string },
  prompt: Prompt,
): Promise<SignedIn> {
  try {
    return await client.call(sessions.login, { body: given });
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'mfa_required') throw error;
    const code = await prompt.readLine('Authentication code or recovery code: ');
    return client.call(sessions.login, { body: { ...given, mfa_code: toMfaCode(code) } });
  }
}

/** Authenticator apps show six digits, often in two groups; a recovery code has letters. */
export function toMfaCode(given: string): { code: string } | { recovery_code: string } {
  const code = given.replace(/\s/g, '');
  return /^\d{6}$/.test(code) ? { code } : { recovery_code: given.trim() };
}
