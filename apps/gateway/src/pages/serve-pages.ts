import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { html } from '@millrace/service/text/html';
import type { GatewayEnv } from '../env.js';
import { serveDevice } from './account/serve-device.js';
import { serveInvitation } from './account/serve-invitation.js';
import { servePasswordReset } from './account/serve-password-reset.js';
import { sendErrorPage } from './errors/page-error.filter.js';
import { type Page, sendPage } from './layout/page.js';
import { MODULE_PAGE, PUBLISHED_PAGE } from './records/library-pages.js';
import { RUN_PAGE } from './records/run-page.js';
import { serveRecordPage } from './records/serve-record-page.js';
import { TABLE_PAGE, VIEW_PAGE } from './records/table-pages.js';
import { PageApi } from './session/page-api.js';

const MAX_FORM_BYTES = 16 * 1024;

/** A sign-in with Google returns here if it began without a return path. */
const SIGNED_IN: Page = {
  title: 'You are signed in',
  body: html`<p>You can close this page.</p>`,
};

/** Serves the HTML pages, in a Fastify scope of their own so that the API itself accepts no forms. */
export async function servePages(fastify: FastifyInstance, env: GatewayEnv): Promise<void> {
  const api = new PageApi(fastify);
  await fastify.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: MAX_FORM_BYTES });
    scope.setErrorHandler(sendErrorPage);
    const offersGoogle = env.GOOGLE_CLIENT_ID !== undefined;
    serveDevice(scope, api, offersGoogle);
    serveInvitation(scope, api, offersGoogle);
    servePasswordReset(scope, api);
    const records = [RUN_PAGE, PUBLISHED_PAGE, MODULE_PAGE, TABLE_PAGE, VIEW_PAGE];
    for (const record of records) serveRecordPage(scope, api, offersGoogle, record);
    scope.get('/signed-in', (_request, reply) => sendPage(reply, SIGNED_IN));
  });
}
