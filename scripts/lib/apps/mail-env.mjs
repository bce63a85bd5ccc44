import { resolve } from 'node:path';
import { ROOT } from '../layout.mjs';

/** What only the process that sends mails gets; the password of the mail server is among it. */
export const MAIL_SETTINGS = ['SMTP_URL', 'MAIL_FROM', 'MAIL_DIR'];

/** @typedef {Pick<import('./app-env.mjs').AppContext, 'env' | 'layout'>} MailContext */

/**
 * The user's settings of mail, and where mails are written without a mail server.
 * @param {MailContext} context
 * @returns {NodeJS.ProcessEnv}
 */
export function mailEnv({ env, layout }) {
  const given = MAIL_SETTINGS.filter((name) => env[name]).map((name) => [name, env[name]]);
  return { ...Object.fromEntries(given), MAIL_DIR: folderOf({ env, layout }) };
}

/**
 * @param {MailContext} context
 * @returns {string | undefined} where mails are written; undefined where a mail server is named
 */
export function mailFolder(context) {
  return context.env.SMTP_URL ? undefined : folderOf(context);
}

/** @param {MailContext} context */
function folderOf({ env, layout }) {
  return resolve(ROOT, env.MAIL_DIR || layout.mail);
}
