import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PermanentFailureError } from '@millrace/messaging/jobs/job-errors';
import { Database, type Transaction } from '@millrace/persistence/database';
import { createCounter } from '@millrace/telemetry/metrics/registry';
import { DELIVER, type Deliver, type OutgoingMail, UnknownOutcomeError } from '../delivery/outgoing-mail.js';
import {
  type LeasedMail,
  leaseMail,
  markOutcomeUnknown,
  markSent,
  releaseMailLease,
  renewMailLease,
} from './mail-leases.js';
import { RenewedLease } from './renewed-lease.js';

const mails = createCounter('millrace_mails_total', 'Attempts to send mails by outcome', ['outcome']);

for (const outcome of ['sent', 'failed', 'rejected', 'unknown']) mails.inc({ outcome }, 0);

/** Longer than the ten minutes that a server may take to respond once; bounds a server that keeps the connection busy. */
const DELIVERY_TIMEOUT_MS = 900_000;
/** How long a delivery may still take when the service shuts down. */
const SHUTDOWN_TIMEOUT_MS = 5_000;
/** How long storing the outcome of a mail is retried; Postgres restarts within it. */
const STORE_OUTCOME_TIMEOUT_MS = 60_000;

/**
 * Sends each mail once. The sending process has a lease on the mail, committed before it connects to the mail server and
 * renewed while the server responds, which may take minutes. Another process with the same job retries later, and then finds
 * the mail sent or the lease expired. A mail is sent twice, with the same Message-ID, only if a process dies between the
 * server's response and the commit, or if the server never confirms it.
 */
@Injectable()
export class MailSender implements OnModuleDestroy {
  private readonly shutdown = new AbortController();

  constructor(
    private readonly database: Database,
    @Inject(DELIVER) private readonly deliver: Deliver,
  ) {}

  /**
   * @param settle runs in the transaction that marks the mail as sent
   * @throws errors of `Deliver`, after which the mail counts as not sent; RetryLaterError if another process may be sending it
   */
  async send(mail: OutgoingMail, settle: (tx: Transaction) => Promise<unknown> = async () => undefined): Promise<void> {
    const requestedAt = performance.now();
    const leased = await leaseMail(this.database.client, mail.id);
    if (leased === null) return;
    const lease = new RenewedLease(requestedAt, () => renewMailLease(this.database.client, leased));
    try {
      await this.attempt(mail, leased, lease);
      await this.storeOutcome(async (tx) => {
        await markSent(tx, leased);
        await settle(tx);
      });
      mails.inc({ outcome: 'sent' });
    } finally {
      lease.stop();
    }
  }

  onModuleDestroy(): void {
    setTimeout(() => this.shutdown.abort(), SHUTDOWN_TIMEOUT_MS).unref();
  }

  private async attempt(mail: OutgoingMail, leased: LeasedMail, lease: RenewedLease): Promise<void> {
    const signals = [lease.signal, this.shutdown.signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)];
    try {
      await this.deliver(mail, AbortSignal.any(signals));
    } catch (error) {
      mails.inc({ outcome: outcomeOf(error) });
      await this.storeOutcome((tx) =>
        error instanceof UnknownOutcomeError ? markOutcomeUnknown(tx, leased) : releaseMailLease(tx, leased),
      );
      throw error;
    }
  }

  private async storeOutcome(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    for (const deadline = performance.now() + STORE_OUTCOME_TIMEOUT_MS; ;) {
      try {
        return void (await this.database.transaction(work));
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(1_000);
      }
    }
  }
}

/** `unknown`: the server may have accepted the mail. `rejected`: no retry can succeed. `failed`: it is retried. */
function outcomeOf(error: unknown): 'unknown' | 'rejected' | 'failed' {
  if (error instanceof UnknownOutcomeError) return 'unknown';
  return error instanceof PermanentFailureError ? 'rejected' : 'failed';
}
