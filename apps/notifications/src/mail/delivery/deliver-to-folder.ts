import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { timeOfId } from '@millrace/persistence/ids';
import { type Deliver, type OutgoingMail, toSmtpMessage } from './outgoing-mail.js';

/**
 * Writes mails as `.eml` files if no mail server is configured. Files appear complete and only their owner can read them,
 * because links in mails are credentials. A retried mail gets the same file name.
 */
export function deliverToFolder(folder: string, from: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (mail) => {
    const { message } = await transport.sendMail(toSmtpMessage(from, mail));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${mail.id}.draft`);
    await writeFile(draft, message, { mode: 0o600 });
    await rename(draft, join(folder, fileName(mail)));
  };
}

/** Time and id of the mail. */
const fileName = ({ id }: OutgoingMail): string => `${timeOfId(id).toISOString().replace(/\W/g, '')}-${id}.eml`;
