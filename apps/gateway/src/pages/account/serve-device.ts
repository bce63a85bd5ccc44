import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { approveDevice, describeDevice } from '@millrace/contracts/auth/devices';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { explainProblem } from '../errors/explain-problem.js';
import { sendPage } from '../layout/page.js';
import { readFields } from '../layout/read-fields.js';
import type { OwnApi } from '../session/page-api.js';
import { readSession, signIn, signInByTicket, type ShortSession } from '../session/page-session.js';
import { codeForm, decided, decisionForm } from './device-views.js';

type Fields = ReturnType<typeof readFields>;

const WORDS = {
  not_found: 'There is no such code, or it has expired. Look again at what the device shows.',
  expired_token: 'The sign-in with Google took too long. Try again.',
} as const;

/** `/device`: where a person signs in, sees what asks behind a user code (RFC 8628, 3.3), and approves or denies it. */
export function serveDevice(scope: FastifyInstance, api: OwnApi, offersGoogle: boolean): void {
  const form = (reply: FastifyReply, given: Parameters<typeof codeForm>[0], status?: number) =>
    sendPage(reply, codeForm(given, offersGoogle), status);

  /** Goes on to the decision as whoever `identify` gives; where something is wrong, back to the form, still signed in. */
  const proceed = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { userCode, email }: { userCode: string; email?: string },
    identify: () => Promise<ShortSession>,
  ) => {
    let session: ShortSession | undefined;
    try {
      session = await identify();
      if (userCode === '') return await form(reply, { userCode, session });
      const query = { user_code: userCode };
      const device = await api.call(describeDevice, request, { query, access: session.access });
      return await sendPage(reply, decisionForm(userCode, session, device));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isOver = error.status === 401;
      const problem = explainProblem(error, WORDS);
      const given = { userCode, problem, ...(email !== undefined && { email }), ...(!isOver && { session }) };
      return form(reply, given, error.status);
    }
  };

  scope.get('/device', async (request, reply) => {
    const query = readFields(request.query);
    const ticket = query('ticket');
    const userCode = query('user_code').trim();
    if (ticket === '') return form(reply, { userCode });
    return proceed(request, reply, { userCode }, () => signInByTicket(api, request, ticket));
  });

  scope.post('/device', async (request, reply) => {
    const fields = readFields(request.body);
    const email = fields('email').trim();
    return proceed(request, reply, { userCode: fields('user_code').trim(), email }, async () => {
      return readSession(fields) ?? signIn(api, request, fields);
    });
  });

  scope.post('/device/decision', async (request, reply) => {
    const fields = readFields(request.body);
    const userCode = fields('user_code');
    const { access, refresh } = readSession(fields) ?? { access: '', refresh: '' };
    try {
      const body = { user_code: userCode, approve: readDecision(fields) };
      const { status } = await api.call(approveDevice, request, { body, access });
      await api.signOut(request, { access, refresh });
      return await sendPage(reply, decided(status));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (access !== '') await api.signOut(request, { access, refresh });
      return form(reply, { userCode, problem: explainProblem(error, WORDS) }, error.status);
    }
  });
}

function readDecision(fields: Fields): boolean {
  const decision = fields('decision');
  if (decision === 'approve') return true;
  if (decision === 'deny') return false;
  throw new ValidationError({}, 'Choose to approve or to deny');
}
