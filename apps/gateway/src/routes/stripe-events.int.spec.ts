import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { receiveStripeEvent } from '@millrace/contracts/billing/payment-methods';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

let system: GatewaySystem;
let billing: FakeService;
let url: string;
const taken: unknown[] = [];
beforeAll(async () => {
  system = await gatewaySystem(start);
  billing = await system.play('billing');
  billing.on(receiveStripeEvent, ({ body }) => {
    taken.push(body);
    return { received: true };
  });
  url = `${await system.start()}/api/billing/stripe/events`;
});
afterAll(() => system.close());

const post = async (body: string, headers: Record<string, string>) => {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as unknown };
};

it('is passed on as it was signed, byte by byte, whatever it says that it is', async () => {
  const payload = '{ "id" : "evt_1",\n"amount": 1.50 , "text": "\\u00fc ü" }';
  for (const type of ['application/json', 'application/json; charset=utf-8', 'text/plain']) {
    const answer = await post(payload, { 'content-type': type, 'stripe-signature': 't=1,v1=ab' });
    expect(answer).toEqual({ status: 200, body: { received: true } });
    expect(taken.pop()).toEqual({ payload, signature: 't=1,v1=ab' });
  }
});

it('without a signature or a body is for the service to refuse', async () => {
  await post('{', { 'content-type': 'application/json' });
  expect(taken.pop()).toEqual({ payload: '{', signature: '' });
  await post('', { 'content-type': 'application/json' });
  expect(taken.pop()).toEqual({ payload: '', signature: '' });
});

it('that is too large is 413', async () => {
  const answer = await post('x'.repeat(1024 * 1024 + 1), { 'content-type': 'application/json' });
  expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
});
