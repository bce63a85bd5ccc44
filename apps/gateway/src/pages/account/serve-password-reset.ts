import type { FastifyInstance } from 'fastify';
import { confirmReset, requestReset } from '@millrace/contracts/auth/passwords';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { html } from '@millrace/service/text/html';
import { explainProblem } from '../errors/explain-problem.js';
import { field, hidden } from '../layout/field.js';
import { sendPage, type Page } from '../layout/page.js';
import { readFields } from '../layout/read-fields.js';
import type { PageApi } from '../session/page-api.js';

/** `/password-reset`: the page that the mail links to; `/password-reset/request`: the page that requests the mail. */
export function servePasswordReset(scope: FastifyInstance, api: PageApi): void {
  scope.get('/password-reset', (request, reply) => sendPage(reply, passwordForm(readFields(request.query)('token'))));

  scope.post('/password-reset', async (request, reply) => {
    const fields = readFields(request.body);
    const token = fields('token');
    try {
      await api.call(confirmReset, request, { body: { token, password: fields('password') } });
      return await sendPage(reply, CHANGED);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return sendPage(reply, passwordForm(token, explainProblem(error)), error.status);
    }
  });

  scope.get('/password-reset/request', (_request, reply) => sendPage(reply, requestForm('')));

  scope.post('/password-reset/request', async (request, reply) => {
    const email = readFields(request.body)('email').trim();
    try {
      await api.call(requestReset, request, { body: { email } });
      return await sendPage(reply, REQUESTED);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return sendPage(reply, requestForm(email, explainProblem(error)), error.status);
    }
  });
}

const passwordForm = (token: string, problem?: string): Page => ({
  title: 'Choose a new password',
  problem,
  body: html`<p>All your sessions will end.</p>
    <form method="post" action="/password-reset">
      ${hidden({ token })}
      ${field({ name: 'password', label: 'New password', hint: '10 to 128 characters', type: 'password', autocomplete: 'new-password' })}
      <button type="submit">Change the password</button>
    </form>
    <p><a href="/password-reset/request">Request a new link</a></p>`,
});

const CHANGED: Page = {
  title: 'Your password is changed',
  body: html`<p>All your sessions have ended. Sign in with the new password. From the command line:</p>
    <p><code>npx millrace login</code></p>`,
};

const requestForm = (email: string, problem?: string): Page => ({
  title: 'Forgot your password?',
  problem,
  body: html`<p>We send you a link to choose a new one.</p>
    <form method="post" action="/password-reset/request">
      ${field({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username' })}
      <button type="submit">Send the link</button>
    </form>`,
});

const REQUESTED: Page = {
  title: 'Check your mail',
  body: html`<p>If an account with this address exists, we have sent a link to it. The link is valid for one hour.</p>`,
};
