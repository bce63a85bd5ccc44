import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Operation } from '@millrace/contracts/kit/operation';
import { explainProblem } from '../errors/explain-problem.js';
import { sendPage, type Page } from '../layout/page.js';
import { readFields } from '../layout/read-fields.js';
import type { CallParts, OwnApi } from '../session/page-api.js';
import { readSession, renew, signIn, signInByTicket, type ShortSession } from '../session/page-session.js';
import { againForm, signInForm } from './record-views.js';

/** Somebody who is signed in and looks at a page. */
export interface Visit {
  id: string;
  /** What the button that was pressed does; empty for none. */
  action: string;
  session: ShortSession;
  /** The API, as whoever looks. */
  ask: <O extends Operation>(operation: O, parts: CallParts<O>) => Promise<z.output<O['response']>>;
}

/** A page that mails and messages link to, as `<path>/<id>`. */
export interface Linked {
  path: string;
  /** What it shows, for sentences. */
  noun: string;
  /** @returns with `needsSession` a page that holds the session, to ask again; without, the session ends */
  show(visit: Visit): Promise<{ page: Page; needsSession?: boolean }>;
}

const SIGN_IN_WORDS = { expired_token: 'The sign-in with Google took too long. Try again.' };

/** Serves a page that asks who looks at it, and shows them what they may see. */
export function serveLinked(scope: FastifyInstance, api: OwnApi, offersGoogle: boolean, linked: Linked): void {
  const { path, noun } = linked;
  const none = `There is no such ${noun}: it was deleted, or belongs to a vault that you are not in.`;
  const words = {
    not_found: none,
    validation_error: none,
    forbidden: `You may not see this ${noun}. Ask those who look after its space or vault.`,
  };

  const view = async (request: FastifyRequest, session: ShortSession) => {
    const ask: Visit['ask'] = (operation, parts) => api.call(operation, request, { ...parts, access: session.access });
    const visit = { id: idOf(request), action: readFields(request.body)('action'), session, ask };
    const { page, needsSession } = await linked.show(visit);
    if (!needsSession) await api.signOut(request, session);
    return page;
  };

  const proceed = async (request: FastifyRequest, reply: FastifyReply, identify: () => Promise<ShortSession>) => {
    const place = { href: `${path}/${idOf(request)}`, noun };
    let session: ShortSession | undefined;
    try {
      session = await identify();
      const page = await view(request, session).catch(async (error: unknown) => {
        if (!isExpired(error) || !session) throw error;
        session = await renew(api, request, session);
        return view(request, session);
      });
      return await sendPage(reply, page);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const problem = explainProblem(error, session ? words : SIGN_IN_WORDS);
      if (session && willPass(error)) return sendPage(reply, againForm(place, session, problem), error.status);
      if (session) await api.signOut(request, session);
      const email = readFields(request.body)('email').trim();
      return sendPage(reply, signInForm(place, { offersGoogle, email, problem }), error.status);
    }
  };

  // No other ids are given out; so none needs to be escaped, and `..` leads nowhere.
  const route = `${path}/:id(^[\\w-]+$)`;

  scope.get(route, (request, reply) => {
    const ticket = readFields(request.query)('ticket');
    if (ticket !== '') return proceed(request, reply, () => signInByTicket(api, request, ticket));
    return sendPage(reply, signInForm({ href: `${path}/${idOf(request)}`, noun }, { offersGoogle }));
  });

  scope.post(route, (request, reply) => {
    const fields = readFields(request.body);
    return proceed(request, reply, async () => readSession(fields) ?? signIn(api, request, fields));
  });
}

const idOf = (request: FastifyRequest): string => readFields(request.params)('id');
const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 'token_expired';
const willPass = ({ status }: ApiError): boolean => status === 429 || status >= 500;
