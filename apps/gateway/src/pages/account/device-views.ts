import type { z } from 'zod';
import type { describeDevice } from '@millrace/contracts/auth/devices';
import { html } from '@millrace/service/html';
import { field, hidden } from '../layout/field.js';
import { sayTime } from '../layout/format-time.js';
import type { Page } from '../layout/page.js';
import { googleLink } from '../session/google-link.js';
import type { ShortSession } from '../session/page-session.js';
import { signInFields } from '../session/sign-in-fields.js';

interface Given {
  userCode: string;
  email?: string;
  session?: ShortSession | undefined;
  problem?: string;
}

const CLIENTS: Record<string, string> = { 'svc-cli': 'The Millrace command line' };
const TITLE = 'Let a device sign in';

/** Asks for the code, and for who looks at it where that is not known yet. */
export function codeForm({ userCode, email = '', session, problem }: Given, offersGoogle: boolean): Page {
  const code = field({
    name: 'user_code',
    label: 'Code',
    hint: 'as the device shows it',
    value: userCode,
    autocomplete: 'off',
    isCode: true,
  });
  const body = html`<p>
      A device that wants to act for you shows a code. Enter it here${session ? '.' : ', and sign in.'}
    </p>
    <form method="post" action="/device">
      ${code}${
        session
          ? html`${hidden({ ...session })}
              <p>Signed in as ${session.account}.</p>`
          : signInFields(email)
      }
      <button type="submit">Continue</button>
    </form>
    ${offersGoogle && !session ? googleLink(devicePage(userCode), 'sign in with Google') : null}`;
  return { title: TITLE, problem, body };
}

const devicePage = (userCode: string): string =>
  userCode === '' ? '/device' : `/device?${new URLSearchParams({ user_code: userCode }).toString()}`;

/** Shows what asks, with the two answers. The warning is RFC 8628's, 5.4: somebody else may have sent the code. */
export function decisionForm(
  userCode: string,
  { account, access, refresh }: ShortSession,
  device: z.output<(typeof describeDevice)['response']>,
): Page {
  const body = html`<p>
      Approve only if you started this yourself just now, and the device shows the code
      <strong class="code">${userCode.toUpperCase()}</strong>. It will be able to do everything that you may do.
    </p>
    <dl>
      <dt>What asks</dt>
      <dd>${CLIENTS[device.client_id] ?? device.client_id}</dd>
      <dt>Program</dt>
      <dd>${device.agent ?? 'unknown'}</dd>
      <dt>From address</dt>
      <dd>${device.address ?? 'unknown'}</dd>
      <dt>Since</dt>
      <dd>${sayTime(device.created_date)}</dd>
      <dt>To act as</dt>
      <dd>${account}</dd>
    </dl>
    <form method="post" action="/device/decision">
      ${hidden({ user_code: userCode, access, refresh })}
      <button type="submit" name="decision" value="approve">Approve</button>
      <button type="submit" name="decision" value="deny" class="quiet">Deny</button>
    </form>`;
  return { title: 'A device asks to sign in', body };
}

export const decided = (status: 'approved' | 'denied'): Page =>
  status === 'approved'
    ? {
        title: 'The device is signed in',
        body: html`<p>You can close this page and go back to it. Your sessions show it; there you can also end it.</p>`,
      }
    : { title: 'The device was sent away', body: html`<p>It was not signed in. You can close this page.</p>` };
