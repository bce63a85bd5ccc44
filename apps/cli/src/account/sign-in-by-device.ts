import { z } from 'zod';
import { devices, users } from '@millrace/sdk/resources';
import { openClient } from './connect.js';
import { type Account, saveAccount } from './credentials-file.js';
import { pollDeviceGrant, type DeviceTokens } from './poll-device-grant.js';

export interface DeviceSignIn {
  /** The credentials file. */
  file: string;
  url: string;
  signal: AbortSignal;
  /** Shows the user a line. */
  note: (line: string) => void;
  openBrowser: (address: string) => void;
}

/** Signs in through the browser (RFC 8628), which may be on another machine; gives the email of who approved. */
export async function signInByDevice({ file, url, signal, note, openBrowser }: DeviceSignIn): Promise<string> {
  const body = { client_id: 'svc-cli' as const };
  const code = await openClient(url).call(devices.requestDeviceCode, { body, signal });
  note(
    `To sign in to ${url}, open this page in a browser, on any machine:\n\n  ${code.verification_uri_complete}\n\n` +
      `It must show this code: ${code.user_code}\n\nWaiting for your approval (press Ctrl-C to cancel) …`,
  );
  openBrowser(code.verification_uri_complete);
  const onSilence = () => note(`${url} does not answer at the moment; trying on …`);
  const tokens = await pollDeviceGrant(url, code, { signal, onSilence });
  // Before anything else can fail: the code has been used.
  await saveAccount(file, url, toAccount(tokens));
  const { email } = await openClient(url, tokens.access_token).call(users.getMe);
  await saveAccount(file, url, { ...toAccount(tokens), email });
  return email;
}

/** A server that gives no refresh token leaves a session that ends with its access token. */
function toAccount({ access_token: access, refresh_token: refresh }: DeviceTokens): Account {
  return refresh === undefined ? { token: access } : { session: { access, refresh, expiresAt: readExpiry(access) } };
}

const claims = z.object({ exp: z.number().int().positive() });

/**
 * When a JWT ends (`exp`, RFC 7519, 4.1.4), RFC 3339; it is not verified, for only the server has to. What cannot be read
 * counts as ended, so that it is renewed at its first use.
 */
export function readExpiry(jwt: string): string {
  try {
    const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
    return new Date(claims.parse(JSON.parse(payload)).exp * 1_000).toISOString();
  } catch {
    return new Date(0).toISOString();
  }
}
