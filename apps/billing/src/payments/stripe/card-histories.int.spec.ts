import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addPaymentMethod,
  deletePaymentMethod,
  listPaymentMethods,
  removePaymentCard,
  setDefaultPaymentMethod,
} from '@millrace/contracts/billing/payment-methods';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { promoteRetries } from '@millrace/testkit/promote-retries';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { cardOf, NUMBERS } from '../testing/cards.js';
import { startFakeStripe, type Fault, type FakeStripeServer } from '../testing/fake-stripe-server.js';

let stripe: FakeStripeServer;
let system: System;
beforeAll(async () => {
  stripe = await startFakeStripe();
  system = await startApps([start], stripe.env);
});
afterAll(async () => {
  await system.close();
  await stripe.close();
});

type Step =
  | { do: 'add'; number: string; key: string; part: string; faults: Fault[] }
  | { do: 'remove' | 'default'; at: number; faults: Fault[] };

/** Two faults in a row exceed the automatic retries. Requests that succeed without a response leave traces. */
const faults = fc.constantFrom<Fault[]>(
  ...([[], ['cut-before', 'cut-before'], [500], ['cut-after']] satisfies Fault[][]),
  ...Array<Fault[]>(4).fill(['cut-after', 'cut-after']),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    number: fc.constantFrom(NUMBERS.visa, NUMBERS.visa, NUMBERS.mastercard, NUMBERS.mastercard, NUMBERS.declined),
    // The same key may be repeated, with the same card or another one.
    key: fc.constantFrom('a', 'b', 'c'),
    part: fc.constantFrom('/customers', '/payment_methods', '/attach', '/attach', '/attach'),
    faults,
  }),
  fc.record({ do: fc.constantFrom('remove' as const, 'default' as const), at: fc.nat(3), faults }),
);

const list = async (owner: Caller) => (await system.callAs(owner, listPaymentMethods)).results;

async function take(owner: Caller, step: Step): Promise<void> {
  if (step.do === 'add') {
    stripe.fail(step.part, ...step.faults);
    const body = cardOf({ card_number: step.number });
    return void (await system.callAs(
      owner,
      addPaymentMethod,
      { body },
      { idempotencyKey: step.key, timeoutMs: 30_000 },
    ));
  }
  const cards = await list(owner);
  const params = { id: cards[step.at % Math.max(1, cards.length)]?.id ?? 'none' };
  if (step.do === 'default') return void (await system.callAs(owner, setDefaultPaymentMethod, { params }));
  stripe.fail('/detach', ...step.faults);
  await system.callAs(owner, deletePaymentMethod, { params });
}

/** Makes interrupted attempts old enough to be abandoned, and retries removals until they succeed. */
async function settle(): Promise<void> {
  stripe.recover();
  await system.database.query(`UPDATE billing.card_attempt SET started_at = started_at - interval '10 minutes'`);
  const sweeper = await system.start(start);
  await eventually(async () => {
    await promoteRetries(removePaymentCard, String(system.env['REDIS_URL']));
    const unsettled = 'SELECT id FROM billing.card_attempt UNION ALL SELECT id FROM billing.card_removal';
    expect(await system.database.query(unsettled)).toEqual([]);
  });
  await sweeper.close();
}

it('after any history Stripe has exactly the listed cards, exactly one is the default, and there is one customer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      const owner = ownerCaller();
      const earlierMethods = new Set(stripe.attached());
      const customers = stripe.state.customers.size;
      for (const one of steps) await take(owner, one).catch(() => undefined);
      await settle();
      const listed = await system.database.query<{ reference: string }>(
        'SELECT reference FROM billing.payment_method WHERE vault_id = $1',
        [owner.vault],
      );
      const storedMethods = stripe.attached().filter((method) => !earlierMethods.has(method));
      expect(storedMethods.map(({ id }) => id).sort()).toEqual(listed.map(({ reference }) => reference).sort());
      const defaults = (await list(owner)).filter(({ is_default }) => is_default);
      expect(defaults).toHaveLength(Math.min(1, listed.length));
      expect(stripe.state.customers.size - customers).toBeLessThanOrEqual(1);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
