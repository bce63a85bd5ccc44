import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { eventually } from '@millrace/testkit/eventually';
import { recordSecret } from './record-secret.js';

export interface Mail {
  subject: string;
  text: string;
  /** The first link in the text. The values of its query parameters are recorded as secrets. */
  link: URL | null;
}

/** Waits for a mail from the system under test to an address, with a matching subject. @returns the newest one */
export async function readMail(to: string, subject: RegExp): Promise<Mail> {
  const folder = join(process.env.TEST_DATA_DIR ?? '', 'mail');
  return eventually(async () => {
    for (const name of listMails(folder).reverse()) {
      const mail = await parseMail(join(folder, name));
      if (isTo(mail, to) && subject.test(mail.subject ?? '')) return toMail(mail);
    }
    throw new Error(`No mail "${String(subject)}" to ${to}`);
  });
}

/** Every mail to an address in a folder, oldest first. */
export async function readMailsTo(to: string, folder: string): Promise<Mail[]> {
  const mails = await Promise.all(listMails(folder).map((name) => parseMail(join(folder, name))));
  return mails.filter((mail) => isTo(mail, to)).map(toMail);
}

const parsed = new Map<string, Promise<Email>>();

/** Parses each file once. Files appear complete and never change, but are read again at every attempt. */
function parseMail(file: string): Promise<Email> {
  const cached = parsed.get(file);
  if (cached) return cached;
  const mail = PostalMime.parse(readFileSync(file));
  parsed.set(file, mail);
  return mail;
}

/** File names in order of time, because they begin with it. The folder does not exist before the first mail. */
function listMails(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    return names.sort();
  } catch {
    return [];
  }
}

const isTo = (mail: Email, to: string): boolean => mail.to?.some(({ address }) => address === to) ?? false;

function toMail({ subject = '', text = '' }: Email): Mail {
  const [address] = /https?:\/\/\S+/.exec(text) ?? [];
  const link = address === undefined ? null : new URL(address);
  link?.searchParams.forEach((value) => recordSecret(value));
  return { subject, text, link };
}
