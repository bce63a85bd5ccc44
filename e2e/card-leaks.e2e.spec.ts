import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  signEvent,
  startFakeStripe,
  type FakeStripeServer,
} from '@millrace/billing/payments/testing/fake-stripe-server';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { auditLog, paymentMethods } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { inventCardNumber, codePattern, spellingsOf } from './support/card-numbers.js';
import { checkedFetch } from './support/checked-fetch.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { recordSecret } from './support/record-secret.js';
import { searchFiles, searchStores } from './support/search-stores.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';
import { startWiretap, type Wiretap } from './support/wiretap.js';

const EVENT_SECRET = 'whsec_of_the_tests';
const NAME = 'Ada of the Leaks';
/** Stripe's test number of a card that every bank declines. */
const DECLINED = '4000000000000002';

let stripe: FakeStripeServer;
let nats: PrivateNats;
let tap: Wiretap;
let system: OwnSystem;
let owner: Account;
const responses: string[] = [];
const numbers: string[] = [];
const codes: string[] = [];

beforeAll(async () => {
  stripe = await startFakeStripe();
  nats = await privateNats();
  tap = await startWiretap(Number(new URL(nats.url).port));
  const passwords = SERVICES.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, nats.passwords[name]]);
  system = await startOwnSystem({
    NATS_URL: `nats://127.0.0.1:${tap.port}`,
    ...(Object.fromEntries(passwords) as Record<string, string>),
    ...stripe.env,
    STRIPE_WEBHOOK_SECRET: EVENT_SECRET,
  });
  owner = await signUp(system.url);
});
afterAll(async () => {
  await system.stop();
  await tap.stop();
  await nats.stop();
  await stripe.close();
});

const PATH = '/api/billing/payment-methods';

/** Makes a new card, for which the last tests search. */
function inventCard(options: { number?: string; code?: string } = {}) {
  const code = options.code ?? String(1_000 + Math.floor(Math.random() * 9_000));
  const number = recordSecret(options.number ?? inventCardNumber('37', 15));
  numbers.push(number);
  codes.push(code);
  const exp_year = new Date().getFullYear() + 1;
  return { card_number: number, exp_month: 12, exp_year, cvc: code, cardholder_name: NAME };
}

async function send(body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await rawRequest(owner, 'POST', PATH, { body: text, headers });
  responses.push(JSON.stringify(response.body), JSON.stringify([...response.headers]));
  return { status: response.status, ...response.body };
}

const refused = { status: 400, code: 'validation_error' };

/** Sends cards in valid and invalid requests. Their numbers and codes may not be stored anywhere. */
describe('a payment card', () => {
  it('is accepted if it is valid, with and without an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const card = inventCard();
    const made = await send(card, headers);
    expect(made).toMatchObject({ status: 200, brand: 'amex', last4: card.card_number.slice(-4) });
    expect(await send(card, headers)).toEqual(made);
    expect(await send(inventCard(), headers)).toMatchObject(refused);
    const grouped = inventCard();
    const card_number = grouped.card_number.replace(/^(.{4})(.{6})/, '$1 $2-');
    expect(await send({ ...grouped, card_number })).toMatchObject({ status: 200 });
  });

  it('is rejected if it is invalid or in the wrong place', async () => {
    const wrong = inventCardNumber('37', 15, { isWrong: true });
    expect(await send(inventCard({ number: wrong }))).toMatchObject(refused);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    expect(await send({ ...inventCard(), exp_year: 2020 }, headers)).toMatchObject(refused);
    const swapped = inventCard();
    expect(await send({ ...swapped, card_number: swapped.cvc, cvc: swapped.card_number })).toMatchObject(refused);
    const named = inventCard();
    expect(await send({ ...named, cardholder_name: `Ada ${named.card_number}` })).toMatchObject(refused);
    const typed = inventCard();
    expect(await send({ ...typed, card_number: Number(typed.card_number) })).toMatchObject(refused);
    expect(await send({ ...typed, exp_month: Number(typed.card_number) })).toMatchObject(refused);
    const field = inventCard();
    expect(await send({ ...field, [field.card_number]: field.cvc })).toMatchObject(refused);
    expect(await send([inventCard()])).toMatchObject({ status: 400 });
    expect(await send({ card: inventCard() })).toMatchObject(refused);
  });

  it('is rejected if the request cannot be parsed', async () => {
    const broken = JSON.stringify(inventCard()).slice(0, -1);
    expect(await send(broken)).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(await send(`${JSON.stringify(inventCard())},`)).toMatchObject({ status: 400, code: 'malformed_json' });
    const form = new URLSearchParams(Object.entries(inventCard()).map(([key, value]) => [key, String(value)]));
    for (const type of ['application/x-www-form-urlencoded', 'application/yaml', 'text/plain']) {
      expect(await send(form.toString(), { 'content-type': type })).toMatchObject({ status: 400 });
    }
    const large = { ...inventCard(), cardholder_name: 'x'.repeat(1_100_000) };
    expect(await send(large)).toMatchObject({ status: 413 });
    expect(await send({ ...inventCard(), cardholder_name: 'a\0b' })).toMatchObject(refused);
  });

  it('is rejected without a signed-in user', async () => {
    expect(await send(inventCard(), { authorization: 'Bearer nonsense' })).toMatchObject({ status: 401 });
  });

  it('is rejected if the bank declines it, and gets 503 if the provider fails or does not respond', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const card = inventCard({ number: DECLINED, code: '739' });
    expect(await send(card, headers)).toMatchObject({
      ...refused,
      details: { 'body.card_number': 'was declined by the bank; use another card' },
    });
    stripe.fail('/payment_methods', 429);
    expect(await send(inventCard(), headers)).toMatchObject({ status: 503, code: 'unavailable' });
    stripe.fail('/payment_methods', 500, 500);
    expect(await send(inventCard(), headers)).toMatchObject({ status: 503, code: 'unavailable' });
    stripe.fail('/attach', 'cut-after', 'cut-after');
    expect(await send(inventCard(), headers)).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it('gets 503 if billing is killed while it is being added', async () => {
    stripe.fail('/attach', 'hang-before');
    const writesBefore = stripe.writes.length;
    const sent = send(inventCard(), { 'idempotency-key': crypto.randomUUID() });
    await eventually(() => expect(stripe.writes.slice(writesBefore).at(-1)).toContain('/attach'));
    process.kill(system.pidOf('billing'), 'SIGKILL');
    expect((await sent).status).toBe(503);
    await eventually(async () => expect(await system.isReady()).toBe(true));
  });

  it('can be removed', async () => {
    const { results } = await owner.client.call(paymentMethods.listPaymentMethods);
    expect(results).toHaveLength(2);
    const [remaining, removed] = results;
    const attached = (last4 = '') => stripe.attached().filter(({ card }) => card.last4 === last4);
    await owner.client.call(paymentMethods.deletePaymentMethod, { params: { id: removed?.id ?? '' } });
    await eventually(() => expect(attached(removed?.last4)).toEqual([]));
    const [method] = attached(remaining?.last4);
    const event = {
      type: 'payment_method.updated',
      id: 'evt_1',
      created: 1,
      object: 'event',
      data: { object: method },
    };
    const { payload, signature } = signEvent(event, { secret: EVENT_SECRET });
    const response = await checkedFetch(`${system.url}/api/billing/stripe/events`, {
      method: 'POST',
      body: payload,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    });
    expect(response.status).toBe(200);
    const target = { target_type: 'payment_method', target_id: removed?.id, target_name: `amex ${removed?.last4}` };
    await eventually(async () => {
      const { results: entries } = await owner.client.call(auditLog.listAuditLog, { query: { search: 'amex' } });
      expect(entries).toMatchObject([
        { action: 'payment_method.removed', ...target, actor: { id: owner.user } },
        { action: 'payment_method.added', ...target },
        { action: 'payment_method.added', target_id: remaining?.id },
      ]);
    });
  });

  it('is accepted with its number as the Idempotency-Key, which a client may send by mistake', async () => {
    const card = inventCard();
    const made = await send(card, { 'idempotency-key': card.card_number });
    expect(made).toMatchObject({ status: 200 });
    expect(await send(card, { 'idempotency-key': card.card_number })).toEqual(made);
    expect(await send(inventCard(), { 'idempotency-key': card.card_number })).toMatchObject(refused);
    const spaced = card.card_number.replace(/^(.{4})/, '$1 ');
    expect(await send(card, { 'idempotency-key': spaced })).toMatchObject(refused);
  });
});

describe('the numbers and codes of all these cards', () => {
  const containsCard = (bytes: Buffer | string): boolean => {
    const buffer = Buffer.from(bytes);
    const text = buffer.toString('latin1');
    return (
      numbers.flatMap(spellingsOf).some((spelling) => buffer.includes(spelling)) ||
      codes.some((code) => codePattern(code).test(text))
    );
  };
  const containsName = (bytes: Buffer | string): boolean => bytes.includes(NAME);

  it('are in no response', () => {
    expect(responses.filter(containsCard)).toEqual([]);
    expect(responses.filter(containsName)).not.toEqual([]);
  });

  it('are in no message of the broker', () => {
    const messages = tap.recordedBytes();
    expect(messages.some((bytes) => bytes.includes('rpc.billing.paymentMethods.add'))).toBe(true);
    expect(messages.filter(containsName)).not.toEqual([]);
    expect(messages.filter(containsCard).length).toBe(0);
  });

  it('are in no table and no Redis key', async () => {
    expect(await searchStores(system.folder, [NAME])).toContain('billing.payment_method');
    expect(await searchStores(system.folder, [...numbers])).toEqual([]);
  });

  it('are in no file of Postgres and its write-ahead log, Redis and JetStream, and in no log', () => {
    expect(searchFiles(join(system.folder, 'postgres'), containsName)).not.toEqual([]);
    expect(searchFiles(join(system.folder, 'logs'), (bytes) => bytes.includes('card_declined'))).not.toEqual([]);
    expect(searchFiles(nats.storeDir, (bytes) => bytes.includes('evt.billing.paymentMethod.changed'))).not.toEqual([]);
    expect(searchFiles(system.folder, containsCard)).toEqual([]);
    expect(searchFiles(nats.storeDir, containsCard)).toEqual([]);
  });

  it('would be found by this search in any notation', () => {
    const [number = '', code = ''] = [numbers[0], codes[0]];
    const quoted = JSON.stringify({ a: 1, card: number });
    for (const text of [number, quoted, Buffer.from(quoted).toString('base64'), `"cvc":"${code}"`, `cvc=${code}&`]) {
      expect(containsCard(`… ${text} …`)).toBe(true);
    }
  });
});
