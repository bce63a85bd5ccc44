import { mailNotification } from '@millrace/contracts/notifications/mail';
import type { Transaction } from '@millrace/persistence/database';

interface NewMail {
  id: string;
  vault: string;
  user: string;
  title: string;
  message: string;
  page: string;
}

/** Enqueues the mails of notifications. Their content stays in Postgres; the queue contains only the ids. */
export async function enqueueMails(tx: Transaction, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO notifications.pending_mail (id, vault_id, user_id, title, message, page)
    SELECT id, vault, "user", title, message, page FROM jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) AS r(
      id uuid, vault uuid, "user" uuid, title text, message text, page text)`;
  for (const { id } of mails) tx.enqueue(mailNotification, { id }, { id });
}
