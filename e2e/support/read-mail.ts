import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { eventually } from '@millrace/testkit/eventually';
import { keepSecret } from './keep-secret.js';

export interface Mail {
  subject: string;
  text: string;
  /** The first link in it; what it carries is noted as secret. */
  link: URL | null;
}

/** The newest mail to an address that the system under test has written; waits for one whose subject fits. */
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

/** Every mail to an address that lies in a folder, oldest first. */
export async function readMailsTo(to: string, folder: string): Promise<Mail[]> {
  const mails = await Promise.all(listMails(folder).map((name) => parseMail(join(folder, name))));
  return mails.filter((mail) => isTo(mail, to)).map(toMail);
}

const parsed = new Map<string, Promise<Email>>();

/** Each file is parsed once: it appears whole, does not change, and is looked at again and again. */
function parseMail(file: string): Promise<Email> {
  const known = parsed.get(file);
  if (known) return known;
  const mail = PostalMime.parse(readFileSync(file));
  parsed.set(file, mail);
  return mail;
}

/** Names begin with their time. The folder comes with the first mail. */
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
  link?.searchParams.forEach((value) => keepSecret(value));
  return { subject, text, link };
}
