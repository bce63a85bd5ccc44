import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The secret in the newest mail to an address that links to a page; the system under test leaves its mails as files. */
export async function mailedToken(to: string, page: '/invitations/accept' | '/password-reset'): Promise<string> {
  const folder = process.env.TEST_DATA_DIR;
  if (!folder) throw new Error('TEST_DATA_DIR is not set: run the tests by `npm test`');
  const link = new RegExp(`${page}\\?token=([\\w-]+)`);
  for (let waited = 0; waited < 15_000; waited += 100) {
    const found = link.exec((await mailsTo(to, join(folder, 'mail'))).findLast((mail) => link.test(mail)) ?? '');
    if (found?.[1]) return found[1];
    await sleep(100);
  }
  throw new Error(`There is no mail to ${to} with a link to ${page}`);
}

/** Texts of the mails to an address, oldest first, with the line breaks of quoted-printable (RFC 2045, 6.7) taken out. */
export async function mailsTo(to: string, folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).sort();
  const mails = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return mails
    .filter((mail) => new RegExp(`^To: .*${to.replaceAll('.', '\\.')}`, 'im').test(mail))
    .map((mail) => mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
}
