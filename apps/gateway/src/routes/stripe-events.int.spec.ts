import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { receiveStripeEvent } from '@millrace/contracts/billing/payment-methods';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

let system: GatewaySystem;
let billing: FakeService;
let url: string;
const received: unknown[] = [];
beforeAll(async () => {
  system = await gatewaySystem(start);
  billing = await system.fake('billing');
  billing.on(receiveStripeEvent, ({ body }) => {
    received.push(body);
    return { received: true };
  });
  url = `${await system.start()}/api/billing/stripe/events`;
});
afterAll(() => system.close());

const post = async (body: string, headers: Record<string, string>) => {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as unknown };
};

it('a Stripe event with any content type is forwarded byte by byte', async () => {
  const payload = '{ "id" : "evt_1",\n"amount": 1.50 , "text": "\\u00fc ü" }';
  for (const type of ['application/json', 'application/json; charset=utf-8', 'text/plain']) {
    const response = await post(payload, { 'content-type': type, 'stripe-signature': 't=1,v1=ab' });
    expect(response).toEqual({ status: 200, body: { received: true } });
    expect(received.pop()).toEqual({ payload, signature: 't=1,v1=ab' });
  }
});

it('a Stripe event without signature or body is forwarded for billing to reject', async () => {
  await post('{', { 'content-type': 'application/json' });
  expect(received.pop()).toEqual({ payload: '{', signature: '' });
  await post('', { 'content-type': 'application/json' });
  expect(received.pop()).toEqual({ payload: '', signature: '' });
});

it('a Stripe event that is too large is rejected with 413', async () => {
  const response = await post('x'.repeat(1024 * 1024 + 1), { 'content-type': 'application/json' });
  expect(response).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
});
