import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { timeOfId } from '../../preferences/time-of-id.js';
import type { Deliver, OutgoingMail } from './outgoing-mail.js';
import { toMessage } from './to-smtp-message.js';

/**
 * Writes mails as `.eml` files, where no mail server is named. A file appears as a whole and is its owner's alone, for
 * the links in mails are credentials. A mail that is tried again gets the same name.
 */
export function deliverToFolder(folder: string, from: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (mail) => {
    const { message } = await transport.sendMail(toMessage(from, mail));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${mail.id}.draft`);
    await writeFile(draft, message, { mode: 0o600 });
    await rename(draft, join(folder, fileName(mail)));
  };
}

/** When it was ordered, and which it is. */
const fileName = ({ id }: OutgoingMail): string => `${timeOfId(id).toISOString().replace(/\W/g, '')}-${id}.eml`;
