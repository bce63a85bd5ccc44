import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

export interface Message {
  id: string;
  /** Time of this attempt. */
  at: Date;
  body: string;
}

/** Headers that prove sender and time of a message, with one signature per secret (Standard Webhooks 1.0, "Webhook metadata"). */
export function signMessage({ id, at, body }: Message, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => `v1,${sign(`${id}.${timestamp}.${body}`, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const sign = (content: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64');
