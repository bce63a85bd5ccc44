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

export interface StripeAnswer {
  status: number;
  body: object;
  isReplayed?: boolean;
}

/** What Stripe knows. */
export interface FakeStripeState {
  customers: Set<string>;
  methods: Map<string, StripeMethod>;
  /** By idempotency key: the request and its answer. */
  answers: Map<string, { request: string; answer: StripeAnswer }>;
}

export interface StripeRequest {
  method: string;
  url: string;
  /** As a form. */
  body: string;
  key?: string;
}

/** The numbers of cards, beside the books: what Stripe shows of a card is without. */
const numbers = new WeakMap<StripeMethod, string>();

/** Does what is asked and enters it; under an idempotency key once, whatever came of it. */
export function answerStripe(books: FakeStripeState, { method, url, body, key }: StripeRequest): StripeAnswer {
  const request = `${method} ${url} ${body}`;
  const former = key === undefined ? undefined : books.answers.get(key);
  if (former && former.request !== request)
    return refuse(400, 'idempotency_error', { message: `Was ${former.request}` });
  if (former) return { ...former.answer, isReplayed: true };
  const { pathname, searchParams } = new URL(url, 'http://stripe');
  const answer = route(books, `${method} ${pathname}`, method === 'GET' ? searchParams : new URLSearchParams(body));
  if (key !== undefined) books.answers.set(key, { request, answer });
  return answer;
}

function route(books: FakeStripeState, what: string, form: URLSearchParams): StripeAnswer {
  if (what === 'POST /v1/customers') return createCustomer(books);
  if (what === 'POST /v1/payment_methods') return createMethod(books, form);
  if (what === 'GET /v1/payment_methods') return listMethods(books, form.get('customer') ?? '');
  const [, verb, id = '', action = ''] = /^(GET|POST) \/v1\/payment_methods\/(\w+)(?:\/(\w+))?$/.exec(what) ?? [];
  const method = books.methods.get(id);
  if (!method) return missing('payment_method', id);
  if (verb === 'GET') return { status: 200, body: method };
  if (action === 'attach') return attach(books, method, form.get('customer') ?? '');
  if (action === 'detach') return detach(method);
  return refuse(404, 'invalid_request_error', { message: `Unrecognized request URL (${what})` });
}

function createCustomer({ customers }: FakeStripeState): StripeAnswer {
  const id = `cus_${customers.size + 1}${Math.random().toString(36).slice(2, 8)}`;
  customers.add(id);
  return { status: 200, body: { id, object: 'customer' } };
}

function createMethod({ methods }: FakeStripeState, form: URLSearchParams): StripeAnswer {
  const number = form.get('card[number]') ?? '';
  const made: StripeMethod = {
    id: `pm_${methods.size + 1}${Math.random().toString(36).slice(2, 8)}`,
    object: 'payment_method',
    type: 'card',
    customer: null,
    metadata: { attempt: form.get('metadata[attempt]') ?? '' },
    billing_details: { name: form.get('billing_details[name]') },
    card: { brand: brandOf(number), last4: number.slice(-4) },
  };
  methods.set(made.id, made);
  numbers.set(made, number);
  return { status: 200, body: { ...made } };
}

const brandOf = (number: string): string =>
  number.startsWith('4') ? 'visa' : number.startsWith('5') ? 'mastercard' : 'amex';

function listMethods({ customers, methods }: FakeStripeState, customer: string): StripeAnswer {
  if (!customers.has(customer)) return missing('customer', customer);
  const data = [...methods.values()].filter((method) => method.customer === customer);
  return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/payment_methods' } };
}

/** Where the bank is asked. */
function attach({ customers }: FakeStripeState, method: StripeMethod, customer: string): StripeAnswer {
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

function detach(method: StripeMethod): StripeAnswer {
  if (method.customer === null) {
    return refuse(400, 'invalid_request_error', { message: 'The payment method is not attached to a customer.' });
  }
  method.customer = null;
  return { status: 200, body: { ...method } };
}

const missing = (param: string, id: string): StripeAnswer =>
  refuse(404, 'invalid_request_error', { code: 'resource_missing', param, message: `No such ${param}: '${id}'` });

const refuse = (status: number, type: string, error: object): StripeAnswer => ({
  status,
  body: { error: { type, ...error } },
});
