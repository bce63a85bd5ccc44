import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveHttp } from '@millrace/testkit/serve-http';
import { answerStripe, type StripeAnswer, type FakeStripeState, type StripeMethod } from './fake-stripe-state.js';

/**
 * What becomes of a request: not heard at all, or done and not answered, with the connection cut or left open; refused with a
 * status, nothing done.
 */
export type Fault = 'cut-before' | 'cut-after' | 'hang-before' | 'hang-after' | 403 | 429 | 500;

export interface StripeServer {
  /** An origin. */
  url: string;
  secretKey: string;
  /** Environment of a billing service whose provider it is. */
  env: Record<'PAYMENT_PROVIDER' | 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE', string>;
  books: FakeStripeState;
  /** Cards that customers have. */
  attached(): StripeMethod[];
  /** Requests to write, in order, as `POST /v1/…`. */
  writes: string[];
  /** The next requests to write whose path holds `part` fail, one after the other. */
  fail(part: string, ...faults: Fault[]): void;
  /** Forgets failures that have not happened yet. */
  recover(): void;
  close(): Promise<void>;
}

/**
 * Stripe's HTTP surface as far as cards go: form bodies, errors, idempotency keys
 * (https://docs.stripe.com/api). It quotes numbers in its errors, as the real one may.
 */
export async function startStripeServer(secretKey = 'sk_test_stripe_of_the_tests'): Promise<StripeServer> {
  const books: FakeStripeState = { customers: new Set(), methods: new Map(), answers: new Map() };
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
    if (typeof fault === 'number') return send(response, broken(fault, body));
    const key = request.headers['idempotency-key'];
    const answer = answerStripe(books, { method, url, body, ...(typeof key === 'string' && { key }) });
    if (fault === 'cut-after') return void request.socket.destroy();
    if (fault !== 'hang-after') send(response, answer);
  };
  const server = await serveHttp((request, response) => void serve(request, response));
  return {
    url: server.url,
    secretKey,
    env: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: server.url },
    books,
    attached: () => [...books.methods.values()].filter(({ customer }) => customer !== null),
    writes,
    fail: (part, ...more) => void faults.push(...more.map((fault) => ({ part, fault }))),
    recover: () => void faults.splice(0),
    close: () => server.close(),
  };
}

const UNAUTHENTICATED = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
};

const broken = (status: number, body: string): StripeAnswer => ({
  status,
  body: { error: { type: 'api_error', ...(status === 429 && { code: 'rate_limit' }), message: `Cannot do ${body}` } },
});

function send(response: ServerResponse, { status, body, isReplayed }: StripeAnswer): void {
  const headers = {
    'content-type': 'application/json',
    'request-id': 'req_test',
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** An event as Stripe sends it (https://docs.stripe.com/webhooks, "Verify webhook signatures manually"). */
export function signEvent(
  event: object,
  { secret, at = new Date() }: { secret: string; at?: Date },
): { payload: string; signature: string } {
  const payload = JSON.stringify(event);
  const seconds = Math.floor(at.getTime() / 1_000);
  const signed = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return { payload, signature: `t=${seconds},v1=${signed}` };
}
