import {
  type DevicesRequestCodeResponse as DeviceCode,
  type DevicesTokenResponse as DeviceTokens,
  MillraceClient,
  MillraceError,
  pause,
  UnexpectedResponseError,
} from '@millrace/client';
import { CliError } from '../cli-error.js';
import { validate } from './validate.js';

interface PollOptions {
  signal: AbortSignal;
  /** Called at the first poll of each outage, when the server does not respond. */
  onOutage?: (error: unknown) => void;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** RFC 8628, 3.5: "the interval MUST be increased by 5 seconds for this and all subsequent requests". */
const SLOW_DOWN_SECONDS = 5;
const POLL_TIMEOUT_MS = 10_000;
/** After this number of consecutive polls without a response, the wait no longer doubles: 40 s at the usual interval. */
const MAX_DOUBLINGS = 3;

type Outcome = DeviceTokens | 'pending' | 'slow_down' | 'no_response';

/**
 * Polls a device grant according to RFC 8628 (3.4, 3.5), until the user has decided or the code has expired. If the server
 * does not respond, polls continue at longer intervals.
 * @throws CliError if the grant was denied or has expired; the signal's reason if it is aborted
 */
export async function pollDeviceGrant(baseUrl: string, code: DeviceCode, options: PollOptions): Promise<DeviceTokens> {
  const { signal, wait = pause, onOutage } = options;
  // One attempt per poll, because automatic retries would poll faster than the server allows.
  const client = new MillraceClient({ baseUrl, tries: 1, validate });
  const end = Date.now() + code.expires_in * 1_000;
  let { interval } = code;
  let lostPolls = 0;
  // The code works once. If the response was lost, only a request with the same key receives it again.
  let idempotencyKey = crypto.randomUUID();
  for (;;) {
    const ms = interval * 1_000 * 2 ** Math.min(lostPolls, MAX_DOUBLINGS);
    await wait(Math.min(ms, Math.max(0, end - Date.now())), signal);
    if (Date.now() >= end) throw expiredError();
    const report = (error: unknown) => (lostPolls === 0 ? onOutage?.(error) : undefined);
    const outcome = await poll(client, code.device_code, { idempotencyKey, signal }, report);
    if (typeof outcome === 'object') return outcome;
    if (outcome === 'slow_down') interval += SLOW_DOWN_SECONDS;
    lostPolls = outcome === 'no_response' ? lostPolls + 1 : 0;
    if (outcome !== 'no_response') idempotencyKey = crypto.randomUUID();
  }
}

async function poll(
  client: MillraceClient,
  device_code: string,
  options: { idempotencyKey: string; signal: AbortSignal },
  onNoResponse: (error: unknown) => void,
): Promise<Outcome> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code' as const;
  const body = { grant_type, device_code, client_id: 'svc-cli' as const };
  try {
    return await client.devices.token(body, { timeoutMs: POLL_TIMEOUT_MS, ...options });
  } catch (error) {
    options.signal.throwIfAborted();
    const outcome = classify(error);
    if (outcome === 'no_response') onNoResponse(error);
    return outcome;
  }
}

function classify(error: unknown): Exclude<Outcome, DeviceTokens> {
  if (error instanceof UnexpectedResponseError) throw error;
  if (!(error instanceof MillraceError) || error.status >= 500 || error.status === 429) return 'no_response';
  switch (error.code) {
    case 'authorization_pending':
      return 'pending';
    case 'slow_down':
      return 'slow_down';
    case 'access_denied':
      throw new CliError('The sign-in was denied in the browser.');
    case 'expired_token':
      throw expiredError();
    default:
      throw error;
  }
}

const expiredError = () => new CliError('The code expired before it was approved. Try again: millrace login');
