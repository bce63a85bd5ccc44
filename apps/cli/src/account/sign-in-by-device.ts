import { z } from 'zod';
import type { DevicesTokenResponse as DeviceTokens } from '@millrace/client';
import { openClient } from './connect.js';
import { type Account, saveAccount } from './credentials-file.js';
import { pollDeviceGrant } from './poll-device-grant.js';

export interface DeviceSignIn {
  /** The credentials file. */
  file: string;
  url: string;
  /** Name of the profile to store; null for the one of this server. */
  profile: string | null;
  signal: AbortSignal;
  /** Shows the user a line. */
  note: (line: string) => void;
  openBrowser: (address: string) => void;
}

/** Signs in with a browser (RFC 8628), possibly on another machine. Returns the email of the user who approved. */
export async function signInByDevice({ file, url, profile, signal, note, openBrowser }: DeviceSignIn): Promise<string> {
  const body = { client_id: 'svc-cli' as const };
  const code = await openClient(url).devices.requestCode(body, { signal });
  note(
    `To sign in to ${url}, open this page in a browser, on any machine:\n\n  ${code.verification_uri_complete}\n\n` +
      `It must show this code: ${code.user_code}\n\nWaiting for your approval (press Ctrl-C to cancel) …`,
  );
  openBrowser(code.verification_uri_complete);
  const onOutage = () => note(`${url} does not respond; retrying …`);
  const tokens = await pollDeviceGrant(url, code, { signal, onOutage });
  // Stored before any other request can fail, because the code cannot be used again.
  await saveAccount(file, url, toAccount(tokens), profile);
  const { email } = await openClient(url, tokens.access_token).users.me();
  await saveAccount(file, url, { ...toAccount(tokens), email }, profile);
  return email;
}

/** Without a refresh token, the access token is stored and the sign-in ends with it. */
function toAccount({ access_token: access, refresh_token: refresh }: DeviceTokens): Account {
  return refresh === undefined ? { token: access } : { session: { access, refresh, expiresAt: readExpiry(access) } };
}

const claims = z.object({ exp: z.number().int().positive() });

/**
 * Returns the end of a JWT (`exp`, RFC 7519, 4.1.4) in RFC 3339. Does not verify the JWT, because the server does that. A
 * token without a readable end counts as expired, so it is renewed at its first use.
 */
export function readExpiry(jwt: string): string {
  try {
    const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
    return new Date(claims.parse(JSON.parse(payload)).exp * 1_000).toISOString();
  } catch {
    return new Date(0).toISOString();
  }
}
