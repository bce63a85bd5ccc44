import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Operation } from '@millrace/contracts/kit/operation';
import { explainProblem } from '../errors/explain-problem.js';
import { sendPage, type Page } from '../layout/page.js';
import { readFields } from '../layout/read-fields.js';
import type { CallParts, PageApi } from '../session/page-api.js';
import { readSession, renewSession, signIn, signInByTicket, type PageSession } from '../session/page-session.js';
import { retryForm, signInForm } from './record-views.js';

/** A request of a signed-in user for a page. */
export interface Visit {
  id: string;
  /** A parameter of the path by its name. */
  param: (name: string) => string;
  /** The action of the pressed button; empty for none. */
  action: string;
  session: PageSession;
  /** Calls the API as the user. */
  call: <O extends Operation>(operation: O, parts: CallParts<O>) => Promise<z.output<O['response']>>;
}

/** A page of one record, which mails and messages link to as `<path>/<id>`. */
export interface RecordPage {
  /** May have parameters, such as `/solutions/:solution/views`. */
  path: string;
  /** The kind of record, for sentences. */
  noun: string;
  /** @returns the page; with `needsSession` it contains the session for further requests, otherwise the session ends */
  show(visit: Visit): Promise<{ page: Page; needsSession?: boolean }>;
}

const PARAMETER = /:(\w+)/g;

const SIGN_IN_SENTENCES = { expired_token: 'The sign-in with Google took too long. Try again.' };

/** Serves a record page: the user signs in and sees the record if their roles permit it. */
export function serveRecordPage(scope: FastifyInstance, api: PageApi, offersGoogle: boolean, record: RecordPage): void {
  const { path, noun } = record;
  const notFound = `This ${noun} does not exist: it was deleted, or belongs to a vault that you are not a member of.`;
  const sentences = {
    not_found: notFound,
    validation_error: notFound,
    forbidden: `You have no access to this ${noun}. Ask an administrator of its space or vault for a role.`,
  };

  const hrefOf = (request: FastifyRequest): string =>
    `${path}/:id`.replaceAll(PARAMETER, (_, name: string) => readFields(request.params)(name));

  const show = async (request: FastifyRequest, session: PageSession) => {
    const call: Visit['call'] = (operation, parts) =>
      api.call(operation, request, { ...parts, access: session.access });
    const param = readFields(request.params);
    const visit = { id: param('id'), param, action: readFields(request.body)('action'), session, call };
    const { page, needsSession } = await record.show(visit);
    if (!needsSession) await api.signOut(request, session);
    return page;
  };

  const proceed = async (request: FastifyRequest, reply: FastifyReply, identify: () => Promise<PageSession>) => {
    const link = { href: hrefOf(request), noun };
    let session: PageSession | undefined;
    try {
      session = await identify();
      const page = await show(request, session).catch(async (error: unknown) => {
        if (!isExpired(error) || !session) throw error;
        session = await renewSession(api, request, session);
        return show(request, session);
      });
      return await sendPage(reply, page);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const problem = explainProblem(error, session ? sentences : SIGN_IN_SENTENCES);
      if (session && isTemporary(error)) return sendPage(reply, retryForm(link, session, problem), error.status);
      if (session) await api.signOut(request, session);
      const email = readFields(request.body)('email').trim();
      return sendPage(reply, signInForm(link, { offersGoogle, email, problem }), error.status);
    }
  };

  // Record ids contain only these characters, so none needs escaping and `..` does not match.
  const route = `${path}/:id`.replaceAll(PARAMETER, ':$1(^[\\w-]+$)');

  scope.get(route, (request, reply) => {
    const ticket = readFields(request.query)('ticket');
    if (ticket !== '') return proceed(request, reply, () => signInByTicket(api, request, ticket));
    return sendPage(reply, signInForm({ href: hrefOf(request), noun }, { offersGoogle }));
  });

  scope.post(route, (request, reply) => {
    const fields = readFields(request.body);
    return proceed(request, reply, async () => readSession(fields) ?? signIn(api, request, fields));
  });
}

const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 'token_expired';
const isTemporary = ({ status }: ApiError): boolean => status === 429 || status >= 500;
