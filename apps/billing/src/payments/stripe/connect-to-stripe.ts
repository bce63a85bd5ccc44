import Stripe from 'stripe';

export interface StripeSettings {
  secretKey: string;
  /** An origin. */
  apiBase: string;
  /** Of one try. */
  timeoutMs?: number;
}

/** Three calls in a row, each tried twice, end within the half minute that a caller waits, unless all of them hang. */
const TIMEOUT_MS = 6_000;
const RETRIES = 1;

/** A client of Stripe's API in the version that its package is of (https://docs.stripe.com/sdks/versioning). */
export function connectToStripe({ secretKey, apiBase, timeoutMs = TIMEOUT_MS }: StripeSettings): Stripe {
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}
