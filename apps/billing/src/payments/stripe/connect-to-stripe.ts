import Stripe from 'stripe';

export interface StripeSettings {
  secretKey: string;
  /** Origin of the API. */
  apiBase: string;
  /** Timeout of one attempt. */
  timeoutMs?: number;
}

/** Three calls with one retry each finish within the caller's 30 s, unless all of them hang. */
const ATTEMPT_TIMEOUT_MS = 6_000;
const MAX_RETRIES = 1;

/** A client of Stripe's API, in the API version of its package (https://docs.stripe.com/sdks/versioning). */
export function connectToStripe({ secretKey, apiBase, timeoutMs = ATTEMPT_TIMEOUT_MS }: StripeSettings): Stripe {
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
}
