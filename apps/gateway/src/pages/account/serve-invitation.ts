import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptInvitation, describeInvitation } from '@millrace/contracts/auth/invitations';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { html } from '@millrace/service/text/html';
import { explainProblem } from '../errors/explain-problem.js';
import { field, hidden } from '../layout/field.js';
import { type Page, sendPage } from '../layout/page.js';
import { readFields } from '../layout/read-fields.js';
import type { PageApi } from '../session/page-api.js';
import { googleLink } from '../session/sign-in-fields.js';

const INVITATION_SENTENCES = {
  expired_token: 'This invitation is no longer valid: it has expired, was revoked, or was already used.',
} as const;

/** The path that invitation mails link to. */
export const INVITATION_PAGE = '/invitations/accept';

export function serveInvitation(scope: FastifyInstance, api: PageApi, offersGoogle: boolean): void {
  /** Sends the form, or an error if the invitation is not valid; `failure` is the error of a previous attempt. */
  const sendForm = async (
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    failure?: ApiError,
    name = '',
  ) => {
    try {
      const { vault, email } = await api.call(describeInvitation, request, { body: { token } });
      const problem = failure && explainProblem(failure, INVITATION_SENTENCES);
      return await sendPage(reply, joinForm({ vault, email, token, name, problem, offersGoogle }), failure?.status);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return sendPage(reply, invalidInvitation(explainProblem(error, INVITATION_SENTENCES)), error.status);
    }
  };

  scope.get(INVITATION_PAGE, (request, reply) => {
    const query = readFields(request.query);
    // The user has joined through Google. This page does not use the ticket, which expires.
    return query('ticket') === '' ? sendForm(request, reply, query('token')) : sendPage(reply, joinedByGoogle);
  });

  scope.post(INVITATION_PAGE, async (request, reply) => {
    const fields = readFields(request.body);
    const [token, name] = [fields('token'), fields('name').trim()];
    try {
      const body = { token, name, password: fields('password') };
      const { access, refresh, user } = await api.call(acceptInvitation, request, { body });
      // No page uses the session that joining started.
      await api.signOut(request, { access, refresh });
      return await sendPage(reply, joined(user.email));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return sendForm(request, reply, token, error, name);
    }
  });
}

interface JoinFormState {
  vault: string;
  email: string;
  token: string;
  name: string;
  problem: string | undefined;
  offersGoogle: boolean;
}

const joinForm = ({ vault, email, token, name, problem, offersGoogle }: JoinFormState): Page => ({
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

const invalidInvitation = (problem: string): Page => ({
  title: 'Invitation',
  problem,
  body: html`<p>Ask the person who invited you for a new invitation.</p>`,
});

const joinedByGoogle: Page = {
  title: 'Your account is ready',
  body: html`<p>Sign in with Google. From the command line:</p>
    <p><code>npx millrace login</code></p>`,
};

const joined = (email: string): Page => ({
  title: 'Your account is ready',
  body: html`<p>Sign in as ${email}. From the command line:</p>
    <p><code>npx millrace login</code></p>`,
});
