import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { html } from '@millrace/service/html';
import type { GatewayEnv } from '../env.js';
import { serveDevice } from './account/serve-device.js';
import { serveInvitation } from './account/serve-invitation.js';
import { servePasswordReset } from './account/serve-password-reset.js';
import { answerAsPage } from './errors/send-error-page.js';
import { sendPage, type Page } from './layout/page.js';
import { MODULE_PAGE, PUBLISHED_PAGE } from './records/library-pages.js';
import { RUN_PAGE } from './records/run-page.js';
import { serveLinked } from './records/serve-record-page.js';
import { OwnApi } from './session/page-api.js';

const FORM_LIMIT = 16 * 1024;

/** What a sign-in with Google comes back to where it was asked for without a place to return to. */
const SIGNED_IN: Page = {
  title: 'You are signed in',
  body: html`<p>You can close this page and go back to where you came from.</p>`,
};

/** The pages for people. In a scope of their own, so that the API itself takes no forms. */
export async function servePages(fastify: FastifyInstance, env: GatewayEnv): Promise<void> {
  const api = new OwnApi(fastify);
  await fastify.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: FORM_LIMIT });
    scope.setErrorHandler(answerAsPage);
    const offersGoogle = env.GOOGLE_CLIENT_ID !== undefined;
    serveDevice(scope, api, offersGoogle);
    serveInvitation(scope, api, offersGoogle);
    servePasswordReset(scope, api);
    for (const linked of [RUN_PAGE, PUBLISHED_PAGE, MODULE_PAGE]) serveLinked(scope, api, offersGoogle, linked);
    scope.get('/signed-in', (_request, reply) => sendPage(reply, SIGNED_IN));
  });
}
