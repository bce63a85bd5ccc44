import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifySignature, type Signature } from './verify-signature.js';

const SECRET = "It's a Secret to Everybody";
const payload = Buffer.from('Hello, World!');
const NOW = 1_700_000_000;
const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex', algorithm = 'sha256') =>
  createHmac(algorithm, SECRET).update(text).digest(encoding);

const verify = (signature: Signature, headers: Record<string, string>, body = payload, seconds = NOW) =>
  verifySignature(signature, SECRET, { headers, payload: body }, seconds * 1000);
const refused = (header: string) =>
  expect.objectContaining({
    code: 'unauthenticated',
    status: 401,
    details: { [`header.${header}`]: expect.any(String) },
  });

const CASES: [Signature, Record<string, string>, string][] = [
  // The example of GitHub's documentation, "Validating webhook deliveries".
  [
    { scheme: 'github' },
    { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    'X-Hub-Signature-256',
  ],
  [{ scheme: 'hmac', header: 'X-Sign' }, { 'x-sign': hmac('Hello, World!').toUpperCase() }, 'X-Sign'],
  [
    { scheme: 'hmac', header: 'X-Sign', algorithm: 'sha1', encoding: 'base64', prefix: 's=' },
    { 'x-sign': `s=${hmac('Hello, World!', 'base64', 'sha1')}` },
    'X-Sign',
  ],
  [
    { scheme: 'stripe' },
    { 'stripe-signature': `t=${NOW},v1=${'0'.repeat(64)},v1=${hmac(`${NOW}.Hello, World!`)},v0=x` },
    'Stripe-Signature',
  ],
  [
    { scheme: 'slack' },
    { 'x-slack-request-timestamp': String(NOW), 'x-slack-signature': `v0=${hmac(`v0:${NOW}:Hello, World!`)}` },
    'X-Slack-Signature',
  ],
];

describe.each(CASES)('a call signed as %j', (signature, headers, header) => {
  it('is accepted', () => {
    expect(() => verify(signature, headers)).not.toThrow();
  });

  it('is refused with another body, another secret, or no signature', () => {
    expect(() => verify(signature, headers, Buffer.from('Hello, World?'))).toThrow(refused(header));
    const other = () => verifySignature(signature, 'another secret', { headers, payload }, NOW * 1000);
    expect(other).toThrow(refused(header));
    const { [header.toLowerCase()]: _, ...unsigned } = headers;
    expect(() => verify(signature, unsigned)).toThrow(refused(header));
    expect(() => verify(signature, { ...headers, [header.toLowerCase()]: '' })).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});

describe('a signature with a timestamp', () => {
  it.each(CASES.slice(-2))('is refused more than five minutes later as %j', (signature, headers) => {
    expect(() => verify(signature, headers, payload, NOW + 299)).not.toThrow();
    for (const later of [301, -301]) {
      expect(() => verify(signature, headers, payload, NOW + later)).toThrow(
        expect.objectContaining({ code: 'unauthenticated' }),
      );
    }
  });
});

it('a call signed by the library of Standard Webhooks is accepted, and refused with another body', () => {
  const secret = `whsec_${Buffer.from(SECRET).toString('base64')}`;
  const signature = new Webhook(secret).sign('msg_1', new Date(NOW * 1000), 'Hello, World!');
  const headers = {
    ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW) },
    'webhook-signature': `v1,AAAA ${signature}`,
  };
  const check = (body: Buffer) =>
    verifySignature({ scheme: 'standard' }, secret, { headers, payload: body }, NOW * 1000);
  expect(() => check(payload)).not.toThrow();
  expect(() => check(Buffer.from('x'))).toThrow(refused('webhook-signature'));
});
