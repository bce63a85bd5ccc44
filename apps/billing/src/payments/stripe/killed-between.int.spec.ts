import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { addPaymentMethod, listPaymentMethods } from '@millrace/contracts/billing/payment-methods';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { cardOf } from '../testing/cards.js';
import { startFakeStripe, type FakeStripeServer } from '../testing/fake-stripe-server.js';

const MAIN = join(import.meta.dirname, '../../../dist/main.js');
/** One second after this deadline a key can be used again, because its request can no longer be running. */
const DEADLINE_MS = 2_000;

let stripe: FakeStripeServer;
let system: System;
let owner: Caller;
let billing: ChildProcess;
beforeEach(async () => {
  stripe = await startFakeStripe();
  system = await startApps([], stripe.env);
  owner = ownerCaller();
  billing = spawn(process.execPath, [MAIN], { env: system.env, stdio: 'ignore' });
  await eventually(() => system.callAs(owner, listPaymentMethods));
});
afterEach(async () => {
  await kill();
  await system.close();
  await stripe.close();
});

async function kill(): Promise<void> {
  if (billing.exitCode !== null || billing.signalCode !== null) return;
  const ended = once(billing, 'exit');
  billing.kill('SIGKILL');
  await ended;
}

const add = (idempotencyKey: string, timeoutMs: number) =>
  system.callAs(owner, addPaymentMethod, { body: cardOf() }, { idempotencyKey, timeoutMs });

/** Stripe stores the card, and billing crashes before it receives the response. */
async function crashBeforeResponse(key: string): Promise<void> {
  stripe.fail('/attach', 'hang-after');
  const request = add(key, DEADLINE_MS).catch(() => null);
  await eventually(() => expect(stripe.attached()).toHaveLength(1));
  await kill();
  await request;
}

it('a repeated request after a crash continues with the card that Stripe has stored', async () => {
  const key = newId();
  await crashBeforeResponse(key);
  await system.start(start);
  const made = await add(key, 20_000);
  const { results } = await system.callAs(owner, listPaymentMethods);
  expect(results).toEqual([made]);
  expect(stripe.state.methods.size).toBe(1);
  expect(stripe.attached()).toHaveLength(1);
});

it('a card whose request is not repeated after a crash is removed from Stripe', async () => {
  await crashBeforeResponse(newId());
  await system.database.query(`UPDATE billing.card_attempt SET started_at = started_at - interval '10 minutes'`);
  await system.start(start);
  await eventually(() => expect(stripe.attached()).toEqual([]));
  await eventually(async () => {
    const left = 'SELECT id FROM billing.card_attempt UNION ALL SELECT id FROM billing.card_removal';
    expect(await system.database.query(left)).toEqual([]);
  });
  expect((await system.callAs(owner, listPaymentMethods)).results).toEqual([]);
});
