import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { SIGNATURE_SCHEMES } from '@millrace/contracts/workflows/hook-settings';

export interface Signature {
  scheme: (typeof SIGNATURE_SCHEMES)[number];
  header?: string | undefined;
  algorithm?: 'sha256' | 'sha1' | undefined;
  encoding?: 'hex' | 'base64' | undefined;
  prefix?: string | undefined;
}

export interface SignedRequest {
  /** With names in lower case. */
  headers: Readonly<Record<string, string>>;
  payload: Uint8Array;
}

/** Timestamps further away are refused, as Stripe, Slack and Standard Webhooks recommend. */
const TOLERANCE_S = 300;

/** @throws ApiError `unauthenticated`, naming the header, unless the secret's signature of the payload is valid */
export function verifySignature(
  signature: Signature,
  secret: string,
  request: SignedRequest,
  nowMs = Date.now(),
): void {
  const now = nowMs / 1000;
  switch (signature.scheme) {
    case 'hmac':
      return verifyHmac(signature, secret, request);
    case 'github':
      return verifyHmac({ scheme: 'hmac', header: 'X-Hub-Signature-256', prefix: 'sha256=' }, secret, request);
    case 'stripe':
      return verifyStripe(secret, request, now);
    case 'slack':
      return verifySlack(secret, request, now);
    case 'standard':
      return verifyStandard(secret, request, now);
  }
}

function verifyHmac(signature: Signature, secret: string, request: SignedRequest): void {
  const { header = '', algorithm = 'sha256', encoding = 'hex', prefix = '' } = signature;
  const actual = readHeader(request, header);
  const expected = prefix + createHmac(algorithm, secret).update(request.payload).digest(encoding);
  // Hex may be in upper or lower case.
  const isSame = encoding === 'hex' ? isEqual(actual.toLowerCase(), expected.toLowerCase()) : isEqual(actual, expected);
  if (!isSame) refuse(header, MISMATCH);
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]` over `<t>.<body>` (docs.stripe.com/webhooks/signature). */
function verifyStripe(secret: string, request: SignedRequest, now: number): void {
  const header = 'Stripe-Signature';
  const parts = readHeader(request, header)
    .split(',')
    .map((part) => part.trim());
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  refuseOld(header, time, now);
  const expected = createHmac('sha256', secret).update(`${time}.`).update(request.payload).digest('hex');
  if (!parts.some((part) => isEqual(part, `v1=${expected}`))) refuse(header, MISMATCH);
}

/** `v0=<hex>` over `v0:<time>:<body>` (api.slack.com/authentication/verifying-requests-from-slack). */
function verifySlack(secret: string, request: SignedRequest, now: number): void {
  const header = 'X-Slack-Signature';
  const actual = readHeader(request, header);
  const time = readHeader(request, 'X-Slack-Request-Timestamp');
  refuseOld('X-Slack-Request-Timestamp', time, now);
  const expected = createHmac('sha256', secret).update(`v0:${time}:`).update(request.payload).digest('hex');
  if (!isEqual(actual, `v0=${expected}`)) refuse(header, MISMATCH);
}

/** `v1,<base64>`, several separated by spaces, over `<id>.<time>.<body>` (Standard Webhooks 1.0). */
function verifyStandard(secret: string, request: SignedRequest, now: number): void {
  const header = 'webhook-signature';
  const actual = readHeader(request, header);
  const id = readHeader(request, 'webhook-id');
  const time = readHeader(request, 'webhook-timestamp');
  refuseOld('webhook-timestamp', time, now);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(request.payload).digest('base64');
  if (!actual.split(' ').some((part) => isEqual(part, `v1,${expected}`))) refuse(header, MISMATCH);
}

const MISMATCH = 'does not match the body; check the secret, and that the body is sent exactly as it was signed';

const readHeader = ({ headers }: SignedRequest, name: string): string =>
  headers[name.toLowerCase()] ?? refuse(name, 'is missing; this hook accepts only signed calls');

function refuseOld(header: string, time: string, now: number): void {
  if (!/^\d{1,12}$/.test(time)) refuse(header, 'must contain a Unix time in seconds');
  if (Math.abs(now - Number(time)) > TOLERANCE_S) refuse(header, 'must be within 5 minutes of the current time');
}

function refuse(header: string, problem: string): never {
  throw new ApiError('unauthenticated', 'The signature of the call is missing or wrong.', {
    [`header.${header}`]: problem,
  });
}

/** In constant time. */
function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
