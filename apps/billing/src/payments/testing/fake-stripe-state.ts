import { NUMBERS } from './cards.js';

export interface StripeMethod {
  id: string;
  object: 'payment_method';
  type: 'card';
  customer: string | null;
  metadata: Record<string, string>;
  billing_details: { name: string | null };
  card: { brand: string; last4: string };
}

export interface StripeResponse {
  status: number;
  body: object;
  isReplayed?: boolean;
}

/** The objects that the fake Stripe stores. */
export interface FakeStripeState {
  customers: Set<string>;
  methods: Map<string, StripeMethod>;
  /** Requests and responses by idempotency key. */
  responses: Map<string, { request: string; response: StripeResponse }>;
}

export interface StripeRequest {
  method: string;
  url: string;
  /** Form-encoded. */
  body: string;
  key?: string;
}

/** Card numbers, apart from the state, because Stripe's responses do not have them. */
const numbers = new WeakMap<StripeMethod, string>();

/** Handles a request. With an idempotency key it does so once, and repeats any response, including errors. */
export function handleStripeRequest(state: FakeStripeState, { method, url, body, key }: StripeRequest): StripeResponse {
  const request = `${method} ${url} ${body}`;
  const previous = key === undefined ? undefined : state.responses.get(key);
  if (previous && previous.request !== request)
    return refuse(400, 'idempotency_error', { message: `Was ${previous.request}` });
  if (previous) return { ...previous.response, isReplayed: true };
  const { pathname, searchParams } = new URL(url, 'http://stripe');
  const response = route(state, `${method} ${pathname}`, method === 'GET' ? searchParams : new URLSearchParams(body));
  if (key !== undefined) state.responses.set(key, { request, response });
  return response;
}

function route(state: FakeStripeState, operation: string, form: URLSearchParams): StripeResponse {
  if (operation === 'POST /v1/customers') return createCustomer(state);
  if (operation === 'POST /v1/payment_methods') return createMethod(state, form);
  if (operation === 'GET /v1/payment_methods') return listMethods(state, form.get('customer') ?? '');
  const [, verb, id = '', action = ''] = /^(GET|POST) \/v1\/payment_methods\/(\w+)(?:\/(\w+))?$/.exec(operation) ?? [];
  const method = state.methods.get(id);
  if (!method) return missing('payment_method', id);
  if (verb === 'GET') return { status: 200, body: method };
  if (action === 'attach') return attach(state, method, form.get('customer') ?? '');
  if (action === 'detach') return detach(method);
  return refuse(404, 'invalid_request_error', { message: `Unrecognized request URL (${operation})` });
}

function createCustomer({ customers }: FakeStripeState): StripeResponse {
  const id = `cus_${customers.size + 1}${Math.random().toString(36).slice(2, 8)}`;
  customers.add(id);
  return { status: 200, body: { id, object: 'customer' } };
}

function createMethod({ methods }: FakeStripeState, form: URLSearchParams): StripeResponse {
  const number = form.get('card[number]') ?? '';
  const created: StripeMethod = {
    id: `pm_${methods.size + 1}${Math.random().toString(36).slice(2, 8)}`,
    object: 'payment_method',
    type: 'card',
    customer: null,
    metadata: { attempt: form.get('metadata[attempt]') ?? '' },
    billing_details: { name: form.get('billing_details[name]') },
    card: { brand: brandOf(number), last4: number.slice(-4) },
  };
  methods.set(created.id, created);
  numbers.set(created, number);
  return { status: 200, body: { ...created } };
}

const brandOf = (number: string): string =>
  number.startsWith('4') ? 'visa' : number.startsWith('5') ? 'mastercard' : 'amex';

function listMethods({ customers, methods }: FakeStripeState, customer: string): StripeResponse {
  if (!customers.has(customer)) return missing('customer', customer);
  const data = [...methods.values()].filter((method) => method.customer === customer);
  return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/payment_methods' } };
}

/** Stripe contacts the bank here, so this can decline the card. */
function attach({ customers }: FakeStripeState, method: StripeMethod, customer: string): StripeResponse {
  const number = numbers.get(method) ?? '';
  if (!customers.has(customer)) return missing('customer', customer);
  if (number === NUMBERS.declined) {
    const message = `Your card ${number} was declined.`;
    return refuse(402, 'card_error', { code: 'card_declined', decline_code: 'generic_decline', message });
  }
  if (number === NUMBERS.wrongCode) {
    return refuse(402, 'card_error', { code: 'incorrect_cvc', message: `The code of ${number} is incorrect.` });
  }
  method.customer = customer;
  return { status: 200, body: { ...method } };
}

function detach(method: StripeMethod): StripeResponse {
  if (method.customer === null) {
    return refuse(400, 'invalid_request_error', { message: 'The payment method is not attached to a customer.' });
  }
  method.customer = null;
  return { status: 200, body: { ...method } };
}

const missing = (param: string, id: string): StripeResponse =>
  refuse(404, 'invalid_request_error', { code: 'resource_missing', param, message: `No such ${param}: '${id}'` });

const refuse = (status: number, type: string, error: object): StripeResponse => ({
  status,
  body: { error: { type, ...error } },
});
