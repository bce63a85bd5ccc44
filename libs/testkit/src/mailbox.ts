import { mailContent, sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { JobWorkers } from '@millrace/messaging/jobs/job-workers';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { eventually } from './eventually.js';

/** Takes the mails that services order, in the place of the service that sends them. */
export interface Mailbox {
  /** The next mail to an address that was not taken yet; waits for it. */
  take<T extends MailContent['template']>(to: string, template: T): Promise<Extract<MailContent, { template: T }>>;
  /** How many to an address nobody has taken. */
  countOf(to: string): number;
  close(): Promise<void>;
}

export function openMailbox(options: MessagingOptions): Mailbox {
  const workers = new JobWorkers(options);
  const seal = new SecretCipher(options.secret ?? '', 'mail');
  const mails: MailContent[] = [];
  workers.start(sendMail, (payload) => {
    const { sealed } = payload as { sealed: string };
    mails.push(mailContent.parse(JSON.parse(seal.decrypt(Buffer.from(sealed, 'base64')))));
    return Promise.resolve();
  });
  return {
    take: <T extends MailContent['template']>(to: string, template: T) =>
      eventually(() => {
        const at = mails.findIndex((mail) => mail.to === to && mail.template === template);
        const [mail] = at === -1 ? [] : mails.splice(at, 1);
        if (!mail) throw new Error(`There is no mail "${template}" to ${to}`);
        return Promise.resolve(mail as Extract<MailContent, { template: T }>);
      }),
    countOf: (to) => mails.filter((mail) => mail.to === to).length,
    close: () => workers.beforeApplicationShutdown(),
  };
}
