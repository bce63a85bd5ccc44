import { type MillraceClient, MillraceError, type SessionsLoginResponse } from '@millrace/client';
import { openClient } from './connect.js';
import { saveAccount } from './credentials-file.js';
import type { Prompt } from './prompt.js';

interface PasswordSignIn {
  /** The credentials file. */
  file: string;
  url: string;
  /** Name of the profile to store; null for the one of this server. */
  profile: string | null;
  email: string;
  prompt: Prompt;
}

/** Prompts for the password, and for the second factor if the account has one. Returns the email of the user. */
export async function signInByPassword({ file, url, profile, email, prompt }: PasswordSignIn): Promise<string> {
  const password = await prompt.readLine('Password: ', { secret: true });
  const { access, refresh, expiresAt, user } = await login(openClient(url), { email, password }, prompt);
  await saveAccount(file, url, { email: user.email, session: { access, refresh, expiresAt } }, profile);
  return user.email;
}

async function login(
  client: MillraceClient,
  credentials: { email: string; password: string },
  prompt: Prompt,
): Promise<SessionsLoginResponse> {
  try {
    return await client.sessions.login(credentials);
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'mfa_required') throw error;
    const code = await prompt.readLine('Authentication code or recovery code: ');
    return client.sessions.login({ ...credentials, mfa_code: toMfaCode(code) });
  }
}

/** Authenticator apps show six digits, often in two groups. A recovery code has letters. */
export function toMfaCode(input: string): { code: string } | { recovery_code: string } {
  const code = input.replace(/\s/g, '');
  return /^\d{6}$/.test(code) ? { code } : { recovery_code: input.trim() };
}
