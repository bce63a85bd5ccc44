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

const add = (caller: Caller, given = {}, idempotencyKey?: string) =>
  system.callAs(
    caller,
    addPaymentMethod,
    { body: cardOf(given) },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
const list = async (caller: Caller) => (await system.callAs(caller, listPaymentMethods)).results;
const setDefault = (caller: Caller, id: string) => system.callAs(caller, setDefaultPaymentMethod, { params: { id } });
const remove = (caller: Caller, id: string) => system.callAs(caller, deletePaymentMethod, { params: { id } });
const defaultsOf = async (caller: Caller) =>
  (await list(caller)).filter(({ is_default }) => is_default).map(({ id }) => id);

describe('a card', () => {
  it('is stored without its number and code', async () => {
    const owner = ownerCaller();
    const made = await add(owner, { card_number: '3782 822463 10005', cvc: '7391', cardholder_name: ' Ada ' });
    expect(made).toEqual({
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
    expect(await list(owner)).toEqual([made]);
  });

  it('with invalid fields is refused and leaves nothing behind', async () => {
    const owner = ownerCaller();
    const refused = add(owner, { card_number: '4242424242424241', cvc: '1' });
    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.card_number': expect.any(String), 'body.cvc': expect.any(String) },
    });
    expect(await list(owner)).toEqual([]);
    const left = await system.database.query('SELECT 1 FROM billing.card_attempt WHERE vault_id = $1', [owner.vault]);
    expect(left).toEqual([]);
  });

  it('is added once for one Idempotency-Key, even by concurrent requests', async () => {
    const owner = ownerCaller();
    const key = newId();
    const answers = await Promise.all([1, 2, 3].map(() => add(owner, {}, key)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await list(owner)).toHaveLength(1);
    await expect(add(owner, { card_number: NUMBERS.mastercard }, key)).rejects.toMatchObject({
      details: { 'header.Idempotency-Key': expect.any(String) },
    });
  });

  it('of another vault is not found', async () => {
    const { id } = await add(ownerCaller());
    const stranger = ownerCaller();
    for (const request of [setDefault(stranger, id), remove(stranger, id), remove(stranger, 'nonsense')]) {
      await expect(request).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await list(stranger)).toEqual([]);
  });

  it(`number ${MAX_PAYMENT_METHODS + 1} of a vault is refused, even among concurrent requests`, async () => {
    const owner = ownerCaller();
    const tries = await Promise.allSettled(Array.from({ length: MAX_PAYMENT_METHODS + 4 }, () => add(owner)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_PAYMENT_METHODS);
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
    const [gone, ...others] = cards.map(({ id }) => id);
    await Promise.all(
      [
        remove(owner, gone ?? ''),
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
