import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptInvitation, describeInvitation } from '@millrace/contracts/auth/invitations';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { html } from '@millrace/service/html';
import { explainProblem } from '../errors/explain-problem.js';
import { field, hidden } from '../layout/field.js';
import { sendPage, type Page } from '../layout/page.js';
import { readFields } from '../layout/read-fields.js';
import { googleLink } from '../session/google-link.js';
import type { OwnApi } from '../session/page-api.js';

const WORDS = {
  expired_token: 'This invitation is not good any more: it has expired, was taken back, or was used already.',
} as const;

/** Where the link of an invitation leads. */
export const INVITATION_PAGE = '/invitations/accept';

export function serveInvitation(scope: FastifyInstance, api: OwnApi, offersGoogle: boolean): void {
  /** The form, or that the invitation is not good; `failed` is what went wrong with a first try. */
  const form = async (request: FastifyRequest, reply: FastifyReply, token: string, failed?: ApiError, name = '') => {
    try {
      const { vault, email } = await api.call(describeInvitation, request, { body: { token } });
      const problem = failed && explainProblem(failed, WORDS);
      return await sendPage(reply, joinForm({ vault, email, token, name, problem, offersGoogle }), failed?.status);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return sendPage(reply, notGood(explainProblem(error, WORDS)), error.status);
    }
  };

  scope.get(INVITATION_PAGE, (request, reply) => {
    const query = readFields(request.query);
    // Back from Google, and joined; the ticket is for pages that go on with it, and lapses.
    return query('ticket') === '' ? form(request, reply, query('token')) : sendPage(reply, joinedByGoogle);
  });

  scope.post(INVITATION_PAGE, async (request, reply) => {
    const fields = readFields(request.body);
    const [token, name] = [fields('token'), fields('name').trim()];
    try {
      const body = { token, name, password: fields('password') };
      const { access, refresh, user } = await api.call(acceptInvitation, request, { body });
      // Nothing here uses the session that joining began.
      await api.signOut(request, { access, refresh });
      return await sendPage(reply, joined(user.email));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return form(request, reply, token, error, name);
    }
  });
}

interface Invited {
  vault: string;
  email: string;
  token: string;
  name: string;
  problem: string | undefined;
  offersGoogle: boolean;
}

const joinForm = ({ vault, email, token, name, problem, offersGoogle }: Invited): Page => ({
  title: `Join ${vault}`,
  problem,
  body: html`<p>You are invited to the vault ${vault} as ${email}. Choose a name and a password.</p>
    <form method="post" action="${INVITATION_PAGE}">
      ${hidden({ token })}<input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${field({ name: 'name', label: 'Name', value: name, autocomplete: 'name' })}
      ${field({ name: 'password', label: 'Password', hint: '10 to 128 characters', type: 'password', autocomplete: 'new-password' })}
      <button type="submit">Join</button>
    </form>
    ${offersGoogle ? googleLink(`${INVITATION_PAGE}?${new URLSearchParams({ token }).toString()}`, 'join with Google') : null}`,
});

const notGood = (problem: string): Page => ({
  title: 'Invitation',
  problem,
  body: html`<p>Ask whoever invited you for a new one.</p>`,
});

const joinedByGoogle: Page = {
  title: 'Your account is there',
  body: html`<p>Sign in with Google. From the command line:</p>
    <p><code>npx millrace login</code></p>`,
};

const joined = (email: string): Page => ({
  title: 'Your account is there',
  body: html`<p>Sign in as ${email}. From the command line:</p>
    <p><code>npx millrace login</code></p>`,
});
