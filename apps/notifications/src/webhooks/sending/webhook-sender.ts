import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { resolveOffThread } from '@millrace/egress/addresses/resolve-off-thread';
import { EgressClient, type EgressResponse } from '@millrace/egress/requests/egress-client';
import { EgressError, readRetryAfter } from '@millrace/egress/requests/egress-error';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';
import type { ClaimedDelivery } from '../deliveries/claim-deliveries.js';
import { WebhookCipher } from '../settings/webhook-cipher.js';
import type { Attempt } from './attempt.js';
import { readResponse } from './read-response.js';
import { signMessage } from './sign-message.js';

type Outcome = Pick<Attempt, 'response' | 'error' | 'retryAfterMs'>;
interface Message {
  url: string;
  headers: Record<string, string>;
}

/** Sends messages to their receivers, if EGRESS_ALLOW permits the address. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly logger = new Logger(WebhookSender.name);
  private readonly egress: EgressClient;
  private readonly timeoutMs: number;

  constructor(
    private readonly cipher: WebhookCipher,
    @Inject(NOTIFICATIONS_ENV) { EGRESS_ALLOW, WEBHOOK_TIMEOUT_SECONDS }: NotificationsEnv,
  ) {
    this.timeoutMs = WEBHOOK_TIMEOUT_SECONDS * 1_000;
    this.egress = new EgressClient(EGRESS_ALLOW, { resolve: resolveOffThread(EGRESS_ALLOW) });
  }

  /** Makes one attempt. Its failure is part of the result; null if `signal` aborted it before a response arrived. */
  async send(claim: ClaimedDelivery, signal: AbortSignal): Promise<Attempt | null> {
    const at = new Date();
    const startedAt = performance.now();
    const message = this.open(claim, at);
    const outcome = await this.exchange(claim, message, signal);
    if (signal.aborted && !outcome.response) return null;
    return { at, durationMs: Math.round(performance.now() - startedAt), headers: message?.headers ?? {}, ...outcome };
  }

  private async exchange(
    { id, body }: ClaimedDelivery,
    message: Message | null,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (!message)
      return failure(
        'The webhook cannot be decrypted: MILLRACE_SECRET has changed since it was saved. Set its URL again.',
      );
    const { url, headers } = message;
    const options = { timeoutMs: this.timeoutMs, maxBytes: Infinity, raw: true, signal };
    try {
      const response = await this.egress.open(url, { method: 'POST', headers, body, ...options });
      return { response: await readResponse(response), ...classifyStatus(response) };
    } catch (error) {
      if (error instanceof EgressError) return failure(error.message);
      this.logger.warn({ message: 'Webhook delivery failed unexpectedly', delivery: id, error });
      return failure('The message could not be sent because of an internal error.');
    }
  }

  private open({ id, body, url, secret, formerSecret }: ClaimedDelivery, at: Date): Message | null {
    try {
      const secrets = [secret, formerSecret]
        .filter((sealed) => sealed !== null)
        .map((sealed) => this.cipher.decrypt(sealed));
      const headers = {
        ...{ 'content-type': 'application/json', 'user-agent': 'millrace-webhooks' },
        ...(secrets.length > 0 && signMessage({ id, at, body }, secrets)),
      };
      return { url: this.cipher.decrypt(url), headers };
    } catch {
      return null;
    }
  }

  /** Closes connections whose response is still being read. */
  async onApplicationShutdown(): Promise<void> {
    await this.egress.close();
  }
}

const failure = (error: string): Outcome => ({ response: null, error, retryAfterMs: null });

/** Only 2xx counts as delivered; redirects are not followed (Standard Webhooks 1.0, "Delivery"). */
function classifyStatus({ status, headers }: EgressResponse): Pick<Attempt, 'error' | 'retryAfterMs'> {
  if (status >= 200 && status < 300) return { error: null, retryAfterMs: null };
  const isRedirect = status >= 300 && status < 400;
  return {
    error: `The receiver responded with status ${status}${isRedirect ? '; redirects are not followed' : ''}.`,
    retryAfterMs: readRetryAfter(String(headers['retry-after'] ?? '')),
  };
}
