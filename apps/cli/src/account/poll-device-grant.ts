import type { CallResult } from '@millrace/sdk/call-input';
import { MillraceClient } from '@millrace/sdk/client';
import { MillraceError } from '@millrace/sdk/millrace-error';
import { UnexpectedResponseError } from '@millrace/sdk/read-response';
import { devices } from '@millrace/sdk/resources';
import { pause } from '@millrace/sdk/retry-delay';
import { CliError } from '../cli-error.js';

export type DeviceCode = CallResult<typeof devices.requestDeviceCode>;
export type DeviceTokens = CallResult<typeof devices.deviceToken>;

interface Polling {
  signal: AbortSignal;
  /** Told once, when the server does not answer. */
  onSilence?: (error: unknown) => void;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** RFC 8628, 3.5: "the interval MUST be increased by 5 seconds for this and all subsequent requests". */
const SLOWER_S = 5;
const ANSWER_MS = 10_000;
/** After so many silent polls in a row the wait no longer doubles: 40 s at the usual interval. */
const MAX_DOUBLINGS = 3;

type Outcome = DeviceTokens | 'pending' | 'slow_down' | 'silence';

/**
 * Polls a device grant as RFC 8628 (3.4, 3.5) wants it, until it is decided or the code ends; a server that is away
 * meanwhile is asked again, less and less often.
 * @throws CliError if the grant was denied or has ended; the signal's reason where it is aborted
 */
export async function pollDeviceGrant(baseUrl: string, code: DeviceCode, polling: Polling): Promise<DeviceTokens> {
  const { signal, wait = pause, onSilence } = polling;
  // One try a poll: a client that repeats by itself would poll faster than it was told.
  const client = new MillraceClient({ baseUrl, tries: 1, checkResponses: true });
  const end = Date.now() + code.expires_in * 1_000;
  let { interval } = code;
  let silent = 0;
  // The code works once: where its answer was lost, only the same key brings it again.
  let idempotencyKey = crypto.randomUUID();
  for (;;) {
    const ms = interval * 1_000 * 2 ** Math.min(silent, MAX_DOUBLINGS);
    await wait(Math.min(ms, Math.max(0, end - Date.now())), signal);
    if (Date.now() >= end) throw hasEnded();
    const report = (error: unknown) => (silent === 0 ? onSilence?.(error) : undefined);
    const outcome = await poll(client, code.device_code, { idempotencyKey, signal }, report);
    if (typeof outcome === 'object') return outcome;
    if (outcome === 'slow_down') interval += SLOWER_S;
    silent = outcome === 'silence' ? silent + 1 : 0;
    if (outcome !== 'silence') idempotencyKey = crypto.randomUUID();
  }
}

async function poll(
  client: MillraceClient,
  device_code: string,
  options: { idempotencyKey: string; signal: AbortSignal },
  onSilence: (error: unknown) => void,
): Promise<Outcome> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code' as const;
  const body = { grant_type, device_code, client_id: 'svc-cli' as const };
  try {
    return await client.call(devices.deviceToken, { body, timeoutMs: ANSWER_MS, ...options });
  } catch (error) {
    options.signal.throwIfAborted();
    const outcome = judge(error);
    if (outcome === 'silence') onSilence(error);
    return outcome;
  }
}

function judge(error: unknown): Exclude<Outcome, DeviceTokens> {
  if (error instanceof UnexpectedResponseError) throw error;
  if (!(error instanceof MillraceError) || error.status >= 500 || error.status === 429) return 'silence';
  switch (error.code) {
    case 'authorization_pending':
      return 'pending';
    case 'slow_down':
      return 'slow_down';
    case 'access_denied':
      throw new CliError('The sign-in was denied in the browser.');
    case 'expired_token':
      throw hasEnded();
    default:
      throw error;
  }
}

const hasEnded = () => new CliError('The code expired before it was approved. Try again: npx millrace login');
