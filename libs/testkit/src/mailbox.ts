import { mailContent, sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { JobWorkers } from '@millrace/messaging/jobs/job-workers';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { eventually } from './eventually.js';

/** Receives the mails that services enqueue, instead of the service that sends them. */
export interface Mailbox {
  /** Waits for the next unread mail with this template to an address, and returns it. */
  take<T extends MailContent['template']>(to: string, template: T): Promise<Extract<MailContent, { template: T }>>;
  /** The number of unread mails to an address. */
  countUnread(to: string): number;
  close(): Promise<void>;
}

export function openMailbox(options: MessagingOptions): Mailbox {
  const workers = new JobWorkers(options);
  const cipher = new SecretCipher(options.secret ?? '', 'mail');
  const mails: MailContent[] = [];
  workers.start(sendMail, (payload) => {
    const { sealed } = payload as { sealed: string };
    mails.push(mailContent.parse(JSON.parse(cipher.decrypt(Buffer.from(sealed, 'base64')))));
    return Promise.resolve();
  });
  return {
    take: <T extends MailContent['template']>(to: string, template: T) =>
      eventually(() => {
        const index = mails.findIndex((mail) => mail.to === to && mail.template === template);
        const [mail] = index === -1 ? [] : mails.splice(index, 1);
        if (!mail) throw new Error(`There is no unread mail with the template "${template}" to ${to}.`);
        return Promise.resolve(mail as Extract<MailContent, { template: T }>);
      }),
    countUnread: (to) => mails.filter((mail) => mail.to === to).length,
    close: () => workers.beforeApplicationShutdown(),
  };
}
