import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { addPaymentMethod, deletePaymentMethod, listPaymentMethods } from '@millrace/contracts/billing/payment-methods';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { cardOf } from '../testing/cards.js';
import { startFakeStripe, type FakeStripeServer } from '../testing/fake-stripe-server.js';

let stripe: FakeStripeServer;
let system: System;
let owner: Caller;
let locals: string[];
let withStripe: RunningService;
beforeAll(async () => {
  stripe = await startFakeStripe();
  system = await startApps([]);
});
/** Adds two cards with the provider `local`, then switches to Stripe. */
beforeEach(async () => {
  owner = ownerCaller();
  const local = await system.start(start);
  locals = [await add(), await add()];
  await local.close();
  withStripe = await system.start(start, stripe.env);
});
afterEach(() => withStripe.close());
afterAll(async () => {
  await system.close();
  await stripe.close();
});

const add = async () => (await system.callAs(owner, addPaymentMethod, { body: cardOf() })).id;
const remove = (id = '') => system.callAs(owner, deletePaymentMethod, { params: { id } });
const defaultOf = async () =>
  (await system.callAs(owner, listPaymentMethods)).results.filter((card) => card.is_default).map(({ id }) => id);

it('a card of the previous provider local can be removed completely', async () => {
  await remove(locals[0]);
  await eventually(async () => expect(await system.database.query('SELECT 1 FROM billing.card_removal')).toEqual([]));
});

it('the first card of the new provider replaces a default that cannot be charged', async () => {
  expect(await defaultOf()).toEqual([locals[0]]);
  const [first] = [await add(), await add()];
  expect(await defaultOf()).toEqual([first]);
});

it('a card of the active provider is preferred as the next default', async () => {
  const [first, second] = [await add(), await add()];
  await system.database.query(`UPDATE billing.payment_method SET created_at = now() WHERE id = ANY($1)`, [locals]);
  await remove(first);
  expect(await defaultOf()).toEqual([second]);
  await remove(second);
  expect(locals).toContain((await defaultOf())[0]);
});
