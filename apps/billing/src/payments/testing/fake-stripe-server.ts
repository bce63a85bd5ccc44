import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveHttp } from '@millrace/testkit/serve-http';
import {
  handleStripeRequest,
  type StripeResponse,
  type FakeStripeState,
  type StripeMethod,
} from './fake-stripe-state.js';

/**
 * How a request fails. `before`: without being handled. `after`: handled, but without a response. The connection is cut or
 * stays open (`hang`). A number: refused with that status, without being handled.
 */
export type Fault = 'cut-before' | 'cut-after' | 'hang-before' | 'hang-after' | 403 | 429 | 500;

export interface FakeStripeServer {
  /** Origin of the server. */
  url: string;
  secretKey: string;
  /** Environment of a billing service that uses this server as its provider. */
  env: Record<'PAYMENT_PROVIDER' | 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE', string>;
  state: FakeStripeState;
  /** PaymentMethods that are attached to a customer. */
  attached(): StripeMethod[];
  /** Write requests in order, as `POST /v1/…`. */
  writes: string[];
  /** Makes the next write requests fail whose path contains `part`, one fault per request. */
  fail(part: string, ...faults: Fault[]): void;
  /** Removes faults that have not been used. */
  recover(): void;
  close(): Promise<void>;
}

/**
 * Starts a fake of Stripe's HTTP API for cards, with form bodies, errors and idempotency keys
 * (https://docs.stripe.com/api). Its errors quote card numbers, as Stripe's errors may.
 */
export async function startFakeStripe(secretKey = 'sk_test_stripe_of_the_tests'): Promise<FakeStripeServer> {
  const state: FakeStripeState = { customers: new Set(), methods: new Map(), responses: new Map() };
  const writes: string[] = [];
  const faults: { part: string; fault: Fault }[] = [];
  const takeFault = (path: string): Fault | undefined => {
    const at = faults.findIndex(({ part }) => path.includes(part));
    return at === -1 ? undefined : faults.splice(at, 1)[0]?.fault;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request;
    const body = await text(request);
    if (request.headers.authorization !== `Bearer ${secretKey}`) return send(response, UNAUTHENTICATED);
    const fault = method === 'POST' ? takeFault(url) : undefined;
    if (method === 'POST') writes.push(`${method} ${url}`);
    if (fault === 'cut-before') return void request.socket.destroy();
    if (fault === 'hang-before') return;
    if (typeof fault === 'number') return send(response, failWith(fault, body));
    const key = request.headers['idempotency-key'];
    const result = handleStripeRequest(state, { method, url, body, ...(typeof key === 'string' && { key }) });
    if (fault === 'cut-after') return void request.socket.destroy();
    if (fault !== 'hang-after') send(response, result);
  };
  const server = await serveHttp((request, response) => void serve(request, response));
  return {
    url: server.url,
    secretKey,
    env: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: server.url },
    state,
    attached: () => [...state.methods.values()].filter(({ customer }) => customer !== null),
    writes,
    fail: (part, ...added) => void faults.push(...added.map((fault) => ({ part, fault }))),
    recover: () => void faults.splice(0),
    close: () => server.close(),
  };
}

const UNAUTHENTICATED = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
};

const failWith = (status: number, body: string): StripeResponse => ({
  status,
  body: { error: { type: 'api_error', ...(status === 429 && { code: 'rate_limit' }), message: `Cannot do ${body}` } },
});

function send(response: ServerResponse, { status, body, isReplayed }: StripeResponse): void {
  const headers = {
    'content-type': 'application/json',
    'request-id': 'req_test',
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** Signs an event like Stripe (https://docs.stripe.com/webhooks, "Verify webhook signatures manually"). */
export function signEvent(
  event: object,
  { secret, at = new Date() }: { secret: string; at?: Date },
): { payload: string; signature: string } {
  const payload = JSON.stringify(event);
  const seconds = Math.floor(at.getTime() / 1_000);
  const signed = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return { payload, signature: `t=${seconds},v1=${signed}` };
}
