import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { EgressClient, type EgressResponse } from '@millrace/egress/egress-client';
import { EgressError } from '@millrace/egress/egress-error';
import { readRetryAfter } from '@millrace/egress/read-retry-after';
import { resolveOffThread } from '@millrace/egress/resolve-off-thread';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';
import type { Claim } from '../deliveries/claim-deliveries.js';
import { WebhookSeal } from '../settings/webhook-cipher.js';
import type { Attempt } from './attempt.js';
import { readAnswer } from './read-response.js';
import { signMessage } from './sign-message.js';

/** For a whole attempt, from the look-up of the name to the end of the answer. */
const TIMEOUT_MS = 15_000;

type Outcome = Pick<Attempt, 'answer' | 'error' | 'retryAfterMs'>;
interface Message {
  url: string;
  headers: Record<string, string>;
}

/** Sends messages to their receivers, at addresses that may be reached. */
@Injectable()
export class Sender implements OnApplicationShutdown {
  private readonly logger = new Logger(Sender.name);
  private readonly outside: EgressClient;

  constructor(
    private readonly seal: WebhookSeal,
    @Inject(NOTIFICATIONS_ENV) { EGRESS_ALLOW }: NotificationsEnv,
  ) {
    this.outside = new EgressClient(EGRESS_ALLOW, { resolve: resolveOffThread(EGRESS_ALLOW) });
  }

  /** One attempt. What goes wrong is told in it; null where `signal` broke it off before there was an answer. */
  async send(claim: Claim, signal: AbortSignal): Promise<Attempt | null> {
    const at = new Date();
    const begun = performance.now();
    const message = this.open(claim, at);
    const outcome = await this.exchange(claim, message, signal);
    if (signal.aborted && !outcome.answer) return null;
    return { at, durationMs: Math.round(performance.now() - begun), headers: message?.headers ?? {}, ...outcome };
  }

  private async exchange({ id, body }: Claim, message: Message | null, signal: AbortSignal): Promise<Outcome> {
    if (!message) return failure('it cannot be opened: MILLRACE_SECRET has changed since the webhook was set');
    const { url, headers } = message;
    const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: Infinity, raw: true, signal };
    try {
      const response = await this.outside.open(url, { method: 'POST', headers, body, ...bounds });
      return { answer: await readAnswer(response), ...judge(response) };
    } catch (error) {
      if (error instanceof EgressError) return failure(error.message);
      this.logger.warn({ message: 'A message of a webhook could not be sent', delivery: id, error });
      return failure('it could not be sent');
    }
  }

  private open({ id, body, url, secret, formerSecret }: Claim, at: Date): Message | null {
    try {
      const secrets = [secret, formerSecret].filter((sealed) => sealed !== null).map((one) => this.seal.decrypt(one));
      const headers = {
        ...{ 'content-type': 'application/json', 'user-agent': 'millrace-webhooks' },
        ...(secrets.length > 0 && signMessage({ id, at, body }, secrets)),
      };
      return { url: this.seal.decrypt(url), headers };
    } catch {
      return null;
    }
  }

  /** Ends what is still being read. */
  async onApplicationShutdown(): Promise<void> {
    await this.outside.close();
  }
}

const failure = (error: string): Outcome => ({ answer: null, error, retryAfterMs: null });

/** Only 2xx is delivered; redirects are not followed (Standard Webhooks 1.0, "Delivery"). */
function judge({ status, headers }: EgressResponse): Pick<Attempt, 'error' | 'retryAfterMs'> {
  if (status >= 200 && status < 300) return { error: null, retryAfterMs: null };
  const isRedirect = status >= 300 && status < 400;
  return {
    error: `the receiver answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`,
    retryAfterMs: readRetryAfter(String(headers['retry-after'] ?? '')),
  };
}
