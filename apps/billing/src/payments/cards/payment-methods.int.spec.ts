import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPaymentMethod,
  deletePaymentMethod,
  listPaymentMethods,
  MAX_PAYMENT_METHODS,
  setDefaultPaymentMethod,
  receiveStripeEvent,
} from '@millrace/contracts/billing/payment-methods';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { cardOf, NUMBERS } from '../testing/cards.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

const add = (caller: Caller, fields = {}, idempotencyKey?: string) =>
  system.callAs(
    caller,
    addPaymentMethod,
    { body: cardOf(fields) },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
const list = async (caller: Caller) => (await system.callAs(caller, listPaymentMethods)).results;
const setDefault = (caller: Caller, id: string) => system.callAs(caller, setDefaultPaymentMethod, { params: { id } });
const remove = (caller: Caller, id: string) => system.callAs(caller, deletePaymentMethod, { params: { id } });
const defaultsOf = async (caller: Caller) =>
  (await list(caller)).filter(({ is_default }) => is_default).map(({ id }) => id);

describe('a payment card', () => {
  it('is stored without its number and code', async () => {
    const owner = ownerCaller();
    const created = await add(owner, { card_number: '3782 822463 10005', cvc: '7391', cardholder_name: ' Ada ' });
    expect(created).toEqual({
      id: expect.any(String),
      type: 'card',
      vault_info: owner.vault,
      card_ending_in: '0005',
      last4: '0005',
      brand: 'amex',
      cardholder_name: 'Ada',
      subscription_amount: 0,
      active: true,
      is_default: true,
    });
    expect(await list(owner)).toEqual([created]);
  });

  it('with invalid fields is rejected and leaves nothing behind', async () => {
    const owner = ownerCaller();
    const response = add(owner, { card_number: '4242424242424241', cvc: '1' });
    await expect(response).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.card_number': expect.any(String), 'body.cvc': expect.any(String) },
    });
    expect(await list(owner)).toEqual([]);
    const attempts = await system.database.query('SELECT 1 FROM billing.card_attempt WHERE vault_id = $1', [
      owner.vault,
    ]);
    expect(attempts).toEqual([]);
  });

  it('is added once for one Idempotency-Key, even by concurrent requests', async () => {
    const owner = ownerCaller();
    const key = newId();
    const responses = await Promise.all([1, 2, 3].map(() => add(owner, {}, key)));
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(await list(owner)).toHaveLength(1);
    await expect(add(owner, { card_number: NUMBERS.mastercard }, key)).rejects.toMatchObject({
      details: { 'header.Idempotency-Key': expect.any(String) },
    });
  });

  it('of another vault is not found', async () => {
    const { id } = await add(ownerCaller());
    const otherOwner = ownerCaller();
    for (const request of [setDefault(otherOwner, id), remove(otherOwner, id), remove(otherOwner, 'nonsense')]) {
      await expect(request).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await list(otherOwner)).toEqual([]);
  });

  it(`is rejected if the vault has ${MAX_PAYMENT_METHODS} cards, even among concurrent requests`, async () => {
    const owner = ownerCaller();
    const outcomes = await Promise.allSettled(Array.from({ length: MAX_PAYMENT_METHODS + 4 }, () => add(owner)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_PAYMENT_METHODS);
    await expect(add(owner)).rejects.toMatchObject({ code: 'validation_error', details: { body: expect.any(String) } });
  });
});

describe('the default card', () => {
  it('is the first one until another one is chosen', async () => {
    const owner = ownerCaller();
    const [first, second] = [await add(owner), await add(owner)];
    expect(await defaultsOf(owner)).toEqual([first.id]);
    expect(await setDefault(owner, second.id)).toEqual({ ...second, is_default: true });
    expect(await defaultsOf(owner)).toEqual([second.id]);
  });

  it('is replaced by the newest other card when it is removed', async () => {
    const owner = ownerCaller();
    const [first, , third] = [await add(owner), await add(owner), await add(owner)];
    await remove(owner, first.id);
    expect(await defaultsOf(owner)).toEqual([third.id]);
    await expect(remove(owner, first.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is exactly one, even after concurrent changes', async () => {
    const owner = ownerCaller();
    const cards = await Promise.all(Array.from({ length: 6 }, () => add(owner)));
    const [removed, ...others] = cards.map(({ id }) => id);
    await Promise.all(
      [
        remove(owner, removed ?? ''),
        ...others.map((id) => setDefault(owner, id)),
        add(owner),
        ...others.slice(0, 2).map((id) => remove(owner, id)),
      ].map((change) => change.catch(() => null)),
    );
    expect(await defaultsOf(owner)).toHaveLength(1);
  });
});

it('events of Stripe are not found if the provider is local', async () => {
  const response = system.callAs(null, receiveStripeEvent, { body: { payload: '{}', signature: '' } });
  await expect(response).rejects.toMatchObject({ code: 'not_found' });
});
