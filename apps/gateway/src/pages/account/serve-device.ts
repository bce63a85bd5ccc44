import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { approveDevice, describeDevice } from '@millrace/contracts/auth/devices';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { explainProblem } from '../errors/explain-problem.js';
import { sendPage } from '../layout/page.js';
import { readFields } from '../layout/read-fields.js';
import type { PageApi } from '../session/page-api.js';
import { readSession, signIn, signInByTicket, type PageSession } from '../session/page-session.js';
import { codeForm, decisionResult, decisionForm } from './device-views.js';

type Fields = ReturnType<typeof readFields>;

const DEVICE_SENTENCES = {
  not_found: 'This code does not exist or has expired. Compare it with the code on the device.',
  expired_token: 'The sign-in with Google took too long. Try again.',
} as const;

/** `/device`: the user signs in, sees the device of a user code (RFC 8628, 3.3), and approves or denies it. */
export function serveDevice(scope: FastifyInstance, api: PageApi, offersGoogle: boolean): void {
  const sendForm = (reply: FastifyReply, state: Parameters<typeof codeForm>[0], status?: number) =>
    sendPage(reply, codeForm(state, offersGoogle), status);

  /** Shows the decision to the user whom `identify` returns; on an error shows the form again, still signed in. */
  const proceed = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { userCode, email }: { userCode: string; email?: string },
    identify: () => Promise<PageSession>,
  ) => {
    let session: PageSession | undefined;
    try {
      session = await identify();
      if (userCode === '') return await sendForm(reply, { userCode, session });
      const query = { user_code: userCode };
      const device = await api.call(describeDevice, request, { query, access: session.access });
      return await sendPage(reply, decisionForm(userCode, session, device));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isSessionOver = error.status === 401;
      const problem = explainProblem(error, DEVICE_SENTENCES);
      const state = { userCode, problem, ...(email !== undefined && { email }), ...(!isSessionOver && { session }) };
      return sendForm(reply, state, error.status);
    }
  };

  scope.get('/device', async (request, reply) => {
    const query = readFields(request.query);
    const ticket = query('ticket');
    const userCode = query('user_code').trim();
    if (ticket === '') return sendForm(reply, { userCode });
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
      return await sendPage(reply, decisionResult(status));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (access !== '') await api.signOut(request, { access, refresh });
      return sendForm(reply, { userCode, problem: explainProblem(error, DEVICE_SENTENCES) }, error.status);
    }
  });
}

function readDecision(fields: Fields): boolean {
  const decision = fields('decision');
  if (decision === 'approve') return true;
  if (decision === 'deny') return false;
  throw new ValidationError({}, 'Choose "Approve" or "Deny".');
}
