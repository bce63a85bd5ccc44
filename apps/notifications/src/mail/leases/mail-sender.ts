import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Transaction } from '@millrace/persistence/database';
import { DELIVER, type Deliver, type OutgoingMail } from '../delivery/outgoing-mail.js';
import { UnknownFate } from '../delivery/unknown-outcome-error.js';
import { noteSent, noteUnknown, releaseMail, renewMail, takeMail, type HeldMail } from './mail-leases.js';
import { KeptLease } from './renewed-lease.js';

/** More than the ten minutes for which a server may be silent once; one that keeps talking must end, too. */
const MAX_MS = 900_000;
/** What a server that is asked when the service ends has to answer. */
const LAST_MS = 5_000;
/** For so long it is tried to note what came of a mail; Postgres is restarted within it. */
const NOTING_MS = 60_000;

/**
 * Sends mails, each once. Who sends one holds a lease on it, committed before the mail server is asked and renewed while
 * it makes up its mind, which may take minutes. Another process that got the same job comes back later, and then finds
 * the mail sent, or its sender dead. What cannot be excluded is a process that dies between the server's answer and the
 * note of it, or a server that never says what became of a mail; such a mail goes out again, under the same Message-ID.
 */
@Injectable()
export class SendOnce implements OnModuleDestroy {
  private readonly ending = new AbortController();

  constructor(
    private readonly database: Database,
    @Inject(DELIVER) private readonly deliver: Deliver,
  ) {}

  /**
   * @param settle done with the note that the mail was sent
   * @throws as `Deliver`, and then the mail counts as not sent; RetryLaterError where another process may be at it
   */
  async send(mail: OutgoingMail, settle: (tx: Transaction) => Promise<unknown> = async () => undefined): Promise<void> {
    const begun = performance.now();
    const held = await takeMail(this.database.client, mail.id);
    if (held === null) return;
    const lease = new KeptLease(begun, () => renewMail(this.database.client, held));
    try {
      await this.tryIt(mail, held, lease);
      await this.note(async (tx) => {
        await noteSent(tx, held);
        await settle(tx);
      });
    } finally {
      lease.stop();
    }
    await this.database.client
      .$executeRaw`DELETE FROM notifications.sent_mail WHERE sent_at < now() - interval '30 days'`;
  }

  onModuleDestroy(): void {
    setTimeout(() => this.ending.abort(), LAST_MS).unref();
  }

  private async tryIt(mail: OutgoingMail, held: HeldMail, lease: KeptLease): Promise<void> {
    const ends = [lease.signal, this.ending.signal, AbortSignal.timeout(MAX_MS)];
    try {
      await this.deliver(mail, AbortSignal.any(ends));
    } catch (error) {
      await this.note((tx) => (error instanceof UnknownFate ? noteUnknown(tx, held) : releaseMail(tx, held)));
      throw error;
    }
  }

  private async note(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    for (const last = performance.now() + NOTING_MS; ;) {
      try {
        return void (await this.database.transaction(work));
      } catch (error) {
        if (performance.now() > last) throw error;
        await sleep(1_000);
      }
    }
  }
}
