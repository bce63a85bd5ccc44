import { resolve } from 'node:path';
import { ROOT } from '../layout.mjs';

/** Only the process that sends mails gets these settings, because they include the password of the mail server. */
export const MAIL_SETTINGS = ['SMTP_URL', 'MAIL_FROM', 'MAIL_DIR'];

/** @typedef {Pick<import('./app-env.mjs').AppContext, 'env' | 'layout'>} MailContext */

/**
 * The user's mail settings, and the folder that mails are written into if no mail server is set.
 * @param {MailContext} context
 * @returns {NodeJS.ProcessEnv}
 */
export function mailEnv({ env, layout }) {
  const settings = MAIL_SETTINGS.filter((name) => env[name]).map((name) => [name, env[name]]);
  return { ...Object.fromEntries(settings), MAIL_DIR: folderOf({ env, layout }) };
}

/**
 * @param {MailContext} context
 * @returns {string | undefined} the folder that mails are written into; undefined if a mail server is set
 */
export function mailFolder(context) {
  return context.env.SMTP_URL ? undefined : folderOf(context);
}

/** @param {MailContext} context */
function folderOf({ env, layout }) {
  return resolve(ROOT, env.MAIL_DIR || layout.mail);
}
