import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addPaymentMethod, listPaymentMethods, receiveStripeEvent } from '@millrace/contracts/billing/payment-methods';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { cardOf } from '../testing/cards.js';
import { signEvent, startFakeStripe, type FakeStripeServer } from '../testing/fake-stripe-server.js';
import type { StripeMethod } from '../testing/fake-stripe-state.js';

const secret = 'whsec_of_the_tests';
let stripe: FakeStripeServer;
let system: System;
let owner: Caller;
beforeAll(async () => {
  stripe = await startFakeStripe();
  system = await startApps([start], { ...stripe.env, STRIPE_WEBHOOK_SECRET: secret });
});
beforeEach(() => {
  owner = ownerCaller();
});
afterAll(async () => {
  await system.close();
  await stripe.close();
});

const list = async () => (await system.callAs(owner, listPaymentMethods)).results;
const send = (body: { payload: string; signature: string }) => system.callAs(null, receiveStripeEvent, { body });

/** Adds a card and returns Stripe's PaymentMethod. */
async function add(): Promise<StripeMethod> {
  await system.callAs(owner, addPaymentMethod, { body: cardOf() });
  const added = stripe.attached().at(-1);
  if (!added) throw new Error('Stripe has no card');
  return added;
}

let events = 0;
const eventOf = (type: string, object: object, created = Math.floor(Date.now() / 1_000)) => ({
  id: `evt_${++events}`,
  object: 'event',
  type,
  created,
  data: { object },
});

describe('an event of Stripe', () => {
  it('about a detached card removes it, and the newest other card becomes the default', async () => {
    const detached = await add();
    await add();
    expect(await send(signEvent(eventOf('payment_method.detached', detached), { secret }))).toEqual({ received: true });
    expect(await list()).toEqual([expect.objectContaining({ is_default: true })]);
  });

  it('about a replaced card updates its last digits, unless a newer event was applied', async () => {
    const method = await add();
    const now = Math.floor(Date.now() / 1_000);
    const as = (last4: string) => ({
      ...method,
      card: { brand: 'visa', last4 },
      billing_details: { name: 'Ada King' },
    });
    await send(signEvent(eventOf('payment_method.automatically_updated', as('1881'), now), { secret }));
    await send(signEvent(eventOf('payment_method.updated', as('0000'), now - 60), { secret }));
    expect(await list()).toMatchObject([{ last4: '1881', cardholder_name: 'Ada King' }]);
  });

  it('with a card number in the name keeps the stored name', async () => {
    const method = await add();
    for (const name of ['4242424242424242', '⁴²⁴²⁴²⁴²', '  ']) {
      const renamed = { ...method, card: { brand: 'visa', last4: '1881' }, billing_details: { name } };
      await send(signEvent(eventOf('payment_method.updated', renamed), { secret }));
      expect(await list()).toMatchObject([{ last4: '1881', cardholder_name: 'Ada Lovelace' }]);
    }
  });

  it('about a deleted customer removes all cards of the vault and no others', async () => {
    const { customer: id } = await add();
    await add();
    const other = owner;
    owner = ownerCaller();
    await add();
    await send(signEvent(eventOf('customer.deleted', { id, object: 'customer' }), { secret }));
    expect(await list()).toHaveLength(1);
    owner = other;
    expect(await list()).toEqual([]);
  });

  it('that is repeated has no second effect', async () => {
    const method = await add();
    const now = Math.floor(Date.now() / 1_000);
    const first = eventOf('payment_method.updated', { ...method, card: { brand: 'visa', last4: '1111' } }, now);
    const second = eventOf('payment_method.updated', { ...method, card: { brand: 'visa', last4: '2222' } }, now);
    await send(signEvent(first, { secret }));
    await send(signEvent(second, { secret }));
    expect(await send(signEvent(first, { secret }))).toEqual({ received: true });
    expect(await list()).toMatchObject([{ last4: '2222' }]);
  });

  it('of another type, about an unknown card, or of another shape is accepted without effect', async () => {
    await add();
    for (const event of [
      eventOf('charge.succeeded', { id: 'ch_1' }),
      eventOf('payment_method.detached', { id: 'pm_unknown' }),
      eventOf('customer.deleted', { id: 'cus_unknown' }),
      eventOf('payment_method.updated', { id: 'pm_x', card: { brand: 'visa', last4: '4242424242424242' } }),
    ]) {
      expect(await send(signEvent(event, { secret }))).toEqual({ received: true });
    }
    expect(await list()).toHaveLength(1);
  });

  it('with a wrong or old signature is refused without effect', async () => {
    const method = await add();
    const event = eventOf('payment_method.detached', method);
    const signed = signEvent(event, { secret });
    const longAgo = signEvent(event, { secret, at: new Date(Date.now() - 301_000) });
    for (const sent of [
      signEvent(event, { secret: 'whsec_another' }),
      { ...signed, payload: `${signed.payload} ` },
      { ...signed, signature: '' },
      { ...signed, signature: 'nonsense' },
      { ...signed, signature: signed.signature.replace('v1=', 'v0=') },
      longAgo,
      { ...longAgo, signature: longAgo.signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1_000)}`) },
    ]) {
      await expect(send(sent)).rejects.toMatchObject({
        code: 'validation_error',
        details: { 'header.Stripe-Signature': expect.any(String) },
      });
    }
    expect(await list()).toHaveLength(1);
  });
});
