import type { CallResult } from '@millrace/sdk/call-input';
import type { MillraceClient } from '@millrace/sdk/client';
import { MillraceError } from '@millrace/sdk/millrace-error';
import { sessions } from '@millrace/sdk/resources';
import { openClient } from './connect.js';
import { saveAccount } from './credentials-file.js';
import type { Prompt } from './prompt.js';

type LoginResponse = CallResult<typeof sessions.login>;

interface PasswordSignIn {
  /** The credentials file. */
  file: string;
  url: string;
  email: string;
  prompt: Prompt;
}

/** Prompts for the password, and for the second factor if the account has one. Returns the email of the user. */
export async function signInByPassword({ file, url, email, prompt }: PasswordSignIn): Promise<string> {
  const password = await prompt.readLine('Password: ', { secret: true });
  const { access, refresh, expiresAt, user } = await login(openClient(url), { email, password }, prompt);
  await saveAccount(file, url, { email: user.email, session: { access, refresh, expiresAt } });
  return user.email;
}

async function login(
  client: MillraceClient,
  credentials: { email: string; password: string },
  prompt: Prompt,
): Promise<LoginResponse> {
  try {
    return await client.call(sessions.login, { body: credentials });
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'mfa_required') throw error;
    const code = await prompt.readLine('Authentication code or recovery code: ');
    return client.call(sessions.login, { body: { ...credentials, mfa_code: toMfaCode(code) } });
  }
}

/** Authenticator apps show six digits, often in two groups. A recovery code has letters. */
export function toMfaCode(input: string): { code: string } | { recovery_code: string } {
  const code = input.replace(/\s/g, '');
  return /^\d{6}$/.test(code) ? { code } : { recovery_code: input.trim() };
}
