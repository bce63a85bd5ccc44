import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  MAX_PAYMENT_METHODS,
  addPaymentMethod,
  deletePaymentMethod,
  listPaymentMethods,
  removePaymentCard,
} from '@millrace/contracts/billing/payment-methods';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { promoteRetries } from '@millrace/testkit/promote-retries';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { MAX_ATTEMPTS } from '../cards/card-attempts.js';
import { checkCard } from '../cards/check-card.js';
import { ProviderUnavailableError } from '../provider/payment-provider.js';
import { NUMBERS, cardOf } from '../testing/cards.js';
import { type FakeStripeServer, type Fault, startFakeStripe } from '../testing/fake-stripe-server.js';
import { StripeProvider, connectToStripe } from './stripe-provider.js';

let stripe: FakeStripeServer;
let system: System;
let owner: Caller;
beforeAll(async () => {
  stripe = await startFakeStripe();
  system = await startApps([start], stripe.env);
});
beforeEach(() => {
  owner = ownerCaller();
});
afterEach(() => {
  stripe.recover();
  stripe.state.customers.clear();
  stripe.state.methods.clear();
  stripe.writes.length = 0;
});
afterAll(async () => {
  await system.close();
  await stripe.close();
});

const add = (fields = {}, idempotencyKey?: string) =>
  system.callAs(
    owner,
    addPaymentMethod,
    { body: cardOf(fields) },
    { timeoutMs: 30_000, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  );
const list = async () => (await system.callAs(owner, listPaymentMethods)).results;
const attempts = () => system.database.query('SELECT 1 FROM billing.card_attempt WHERE vault_id = $1', [owner.vault]);

it('a card becomes a PaymentMethod of the customer of the vault', async () => {
  const [first, second] = [await add(), await add({ card_number: NUMBERS.mastercard })];
  expect([first, second]).toMatchObject([
    { brand: 'visa', last4: '4242', is_default: true },
    { brand: 'mastercard', last4: '4444', is_default: false },
  ]);
  expect(stripe.state.customers.size).toBe(1);
  expect(stripe.attached()).toHaveLength(2);
  expect(stripe.attached()[0]).toMatchObject({ billing_details: { name: 'Ada Lovelace' }, card: { last4: '4242' } });
  expect(await attempts()).toEqual([]);
});

it('two concurrent first cards create one customer', async () => {
  await Promise.all([add(), add()]);
  expect(stripe.state.customers.size).toBe(1);
  expect(stripe.attached()).toHaveLength(2);
});

describe('a card that Stripe declines', () => {
  it.each([
    [NUMBERS.declined, 'body.card_number', 'was declined by the bank; use another card'],
    [NUMBERS.wrongCode, 'body.cvc', 'must be the security code of the card'],
  ])(
    'with the number %s is rejected by its field, and nothing is stored of it',
    async (card_number, field, problem) => {
      const refusal = await add({ card_number }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'validation_error', details: { [field]: problem } });
      expect(JSON.stringify(refusal)).not.toContain(card_number);
      expect([await list(), await attempts(), stripe.attached()]).toEqual([[], [], []]);
    },
  );

  it('can be replaced under the same Idempotency-Key', async () => {
    const key = newId();
    await expect(add({ card_number: NUMBERS.declined }, key)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await add({}, key)).toMatchObject({ last4: '4242' });
  });
});

describe('if Stripe', () => {
  it.each<[string, Fault[]]>([
    ['fails once', [500]],
    ['closes the connection before it handles a request', ['cut-before']],
    ['closes the connection after it handles a request', ['cut-after']],
    ['does not respond after it handles a request', ['hang-after']],
  ])('%s, the request is retried and there is one card', async (_, faults) => {
    for (const part of ['/customers', '/payment_methods', '/attach']) {
      stripe.fail(part, ...(part === '/attach' ? faults : faults.filter((fault) => fault !== 'hang-after')));
    }
    await add();
    expect(stripe.attached()).toHaveLength(1);
    expect([stripe.state.methods.size, stripe.state.customers.size]).toEqual([1, 1]);
    expect(await list()).toHaveLength(1);
  });

  it.each<[string, string, Fault[]]>([
    ['is overloaded', '/payment_methods', [429]],
    ['fails repeatedly', '/attach', [500, 500]],
    ['cannot be reached', '/attach', ['cut-before', 'cut-before']],
    ['loses its responses', '/attach', ['cut-after', 'cut-after']],
  ])('%s, a repeated request continues with the same card', async (_, part, faults) => {
    const key = newId();
    await add();
    stripe.fail(part, ...faults);
    const failure = await add({}, key).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('payment provider') });
    expect(JSON.stringify(failure)).not.toContain('4242424242424242');
    expect(await list()).toHaveLength(1);
    const made = await add({}, key);
    expect((await list()).map(({ id }) => id)).toContain(made.id);
    expect(stripe.attached()).toHaveLength(2);
    expect(await attempts()).toEqual([]);
  });

  it('hangs longer than the timeout, the same attempt continues with the same card', async () => {
    const { secretKey, url: apiBase } = stripe;
    const provider = new StripeProvider(connectToStripe({ secretKey, apiBase, timeoutMs: 200 }));
    const customer = await provider.createCustomer({ id: newId(), vault: newId() });
    const card = checkCard(cardOf());
    const addCard = (attempt: string) => provider.addCard(card, { customer, attempt });
    const attempt = newId();
    stripe.fail('/attach', 'hang-before', 'hang-after');
    await expect(addCard(attempt)).rejects.toBeInstanceOf(ProviderUnavailableError);
    expect(await addCard(attempt)).toMatchObject({ last4: '4242' });
    expect(stripe.attached()).toHaveLength(1);
  });

  it('creates the customer and loses the response, the vault uses that customer', async () => {
    stripe.fail('/customers', 'cut-after', 'cut-after');
    await expect(add()).rejects.toMatchObject({ code: 'unavailable' });
    await add();
    expect(stripe.state.customers.size).toBe(1);
  });

  it('responds after the attempt was abandoned, the card is removed and the client gets an error', async () => {
    stripe.fail('/attach', 'hang-after');
    const response = add().catch((error: unknown) => error);
    await eventually(() => expect(stripe.attached()).toHaveLength(1));
    await system.database.query('DELETE FROM billing.card_attempt');
    expect(await response).toMatchObject({ code: 'unavailable', message: expect.stringContaining('too long') });
    await eventually(() => expect(stripe.attached()).toEqual([]));
    expect(await list()).toEqual([]);
  });

  it('has deleted the customer, the next card creates another one and the earlier cards are deleted', async () => {
    await add();
    await add();
    stripe.state.customers.clear();
    stripe.state.methods.clear();
    stripe.state.responses.clear();
    const made = await add();
    expect(await list()).toEqual([{ ...made, is_default: true }]);
    expect(stripe.state.customers.size).toBe(1);
  });

  it('keeps failing, further cards are refused until the pending attempts are resolved', async () => {
    stripe.fail('/payment_methods', ...Array<Fault>(2 * MAX_ATTEMPTS).fill('cut-before'));
    const key = newId();
    const tries = [add({}, key), ...Array.from({ length: MAX_ATTEMPTS - 1 }, () => add())];
    for (const one of await Promise.allSettled(tries)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    stripe.recover();
    const waiting = { code: 'rate_limited', details: { retry_after: expect.any(Number) } };
    await expect(add()).rejects.toMatchObject(waiting);
    expect(await add({}, key)).toMatchObject({ last4: '4242' });
    expect(await add()).toMatchObject({ last4: '4242' });
    expect(await list()).toHaveLength(2);
  });

  it('refuses the request, no attempt remains and cards of earlier tries are removed', async () => {
    const key = newId();
    stripe.fail('/payment_methods', 403);
    await expect(add()).rejects.toMatchObject({ code: 'internal_error', message: expect.stringContaining('log') });
    expect(await attempts()).toEqual([]);
    stripe.fail('/attach', 'cut-after', 'cut-after');
    await expect(add({}, key)).rejects.toMatchObject({ code: 'unavailable' });
    expect([stripe.attached().length, (await attempts()).length]).toEqual([1, 1]);
    stripe.fail('/attach', 403);
    await expect(add({}, key)).rejects.toMatchObject({ code: 'internal_error' });
    expect(await attempts()).toEqual([]);
    await eventually(() => expect(stripe.attached()).toEqual([]));
  });

  it('stores concurrent cards, those beyond the limit are removed again', async () => {
    for (let count = 0; count < MAX_PAYMENT_METHODS - 1; count++) await add();
    const outcomes = await Promise.allSettled([add(), add(), add()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ details: { body: expect.any(String) } });
    }
    expect(await list()).toHaveLength(MAX_PAYMENT_METHODS);
    await eventually(() => expect(stripe.attached()).toHaveLength(MAX_PAYMENT_METHODS));
    expect(await attempts()).toEqual([]);
  });

  it('does not accept the secret key, the card is rejected with internal_error', async () => {
    const other = await startFakeStripe('sk_test_another');
    const copy = await startApps([start], { ...other.env, STRIPE_SECRET_KEY: 'sk_test_wrong' });
    const response = copy.callAs(owner, addPaymentMethod, { body: cardOf() });
    await expect(response).rejects.toMatchObject({ code: 'internal_error', message: expect.stringContaining('log') });
    await copy.close();
    await other.close();
  });
});

describe('a removed card', () => {
  const remove = (id: string) => system.callAs(owner, deletePaymentMethod, { params: { id } });
  const removals = () => system.database.query('SELECT 1 FROM billing.card_removal');

  it('is removed from Stripe, with retries if that fails', async () => {
    const { id } = await add();
    stripe.fail('/detach', 500, 500);
    await remove(id);
    expect(await list()).toEqual([]);
    await eventually(async () => {
      await promoteRetries(removePaymentCard, String(system.env['REDIS_URL']));
      expect(stripe.attached()).toEqual([]);
      expect(await removals()).toEqual([]);
    });
  });

  it('can already be missing at Stripe', async () => {
    const cards = [await add(), await add()];
    for (const method of stripe.state.methods.values()) method.customer = null;
    await remove(cards[0]?.id ?? '');
    await eventually(async () => expect(await removals()).toEqual([]));
    stripe.state.methods.clear();
    await remove(cards[1]?.id ?? '');
    await eventually(async () => expect(await removals()).toEqual([]));
  });
});
