import type { BrowserContext } from '@playwright/test';
import { recordSecret } from '../../../../e2e/support/record-secret.js';
import type { Account } from '../../../../e2e/support/sign-up.js';

/** Signs an account in by the session cookies of a browser context, without the sign-in page. */
export async function signIn(context: BrowserContext, { url, email, password }: Account): Promise<void> {
  const response = await context.request.post(`${url}/api/auth/login`, {
    data: { email, password },
    // The gateway sets cookies only for requests from its own pages.
    headers: { 'x-millrace-session': 'cookie', origin: new URL(url).origin },
  });
  if (!response.ok()) throw new Error(`The sign-in responded with ${response.status()}: ${await response.text()}`);
  // Their path is that of the API.
  const cookies = await context.cookies(`${url}/api`);
  if (cookies.length === 0) throw new Error('The sign-in succeeded but set no cookie.');
  for (const { value } of cookies) recordSecret(value);
}
