import type { z } from 'zod';
import type { describeDevice } from '@millrace/contracts/auth/devices';
import { html } from '@millrace/service/text/html';
import { formatTime } from '../layout/fact-list.js';
import { field, hidden } from '../layout/field.js';
import type { Page } from '../layout/page.js';
import type { PageSession } from '../session/page-session.js';
import { googleLink, signInFields } from '../session/sign-in-fields.js';

interface CodeFormState {
  userCode: string;
  email?: string;
  session?: PageSession | undefined;
  problem?: string;
}

const CLIENTS: Record<string, string> = { 'svc-cli': 'The Millrace command line' };
const TITLE = 'Sign in a device';

/** The form for the code, with sign-in fields if the user is not signed in. */
export function codeForm({ userCode, email = '', session, problem }: CodeFormState, offersGoogle: boolean): Page {
  const code = field({
    name: 'user_code',
    label: 'Code',
    hint: 'as shown on the device',
    value: userCode,
    autocomplete: 'off',
    isCode: true,
  });
  const body = html`<p>
      A device that requests access to your account shows a code. Enter it here${session ? '.' : ' and sign in.'}
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
    ${offersGoogle && !session ? googleLink(devicePageHref(userCode), 'sign in with Google') : null}`;
  return { title: TITLE, problem, body };
}

const devicePageHref = (userCode: string): string =>
  userCode === '' ? '/device' : `/device?${new URLSearchParams({ user_code: userCode }).toString()}`;

/** Shows the device and the two choices. The warning is from RFC 8628, 5.4: someone else may have sent the code. */
export function decisionForm(
  userCode: string,
  { account, access, refresh }: PageSession,
  device: z.output<(typeof describeDevice)['response']>,
): Page {
  const body = html`<p>
      Approve only if you started this sign-in yourself just now and the device shows the code
      <strong class="code">${userCode.toUpperCase()}</strong>. The device will be able to do everything that you may do.
    </p>
    <dl>
      <dt>Application</dt>
      <dd>${CLIENTS[device.client_id] ?? device.client_id}</dd>
      <dt>Program</dt>
      <dd>${device.agent ?? 'unknown'}</dd>
      <dt>From address</dt>
      <dd>${device.address ?? 'unknown'}</dd>
      <dt>Requested</dt>
      <dd>${formatTime(device.created_date)}</dd>
      <dt>Account</dt>
      <dd>${account}</dd>
    </dl>
    <form method="post" action="/device/decision">
      ${hidden({ user_code: userCode, access, refresh })}
      <button type="submit" name="decision" value="approve">Approve</button>
      <button type="submit" name="decision" value="deny" class="quiet">Deny</button>
    </form>`;
  return { title: 'A device requests to sign in', body };
}

export const decisionResult = (status: 'approved' | 'denied'): Page =>
  status === 'approved'
    ? {
        title: 'The device is signed in',
        body: html`<p>
          You can close this page and continue on the device. It appears in your list of sessions, where you can sign it
          out.
        </p>`,
      }
    : { title: 'The device was denied', body: html`<p>It was not signed in. You can close this page.</p>` };
