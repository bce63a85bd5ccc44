import { readdirSync } from 'node:fs';

/**
 * @param {string} folder folder that mails are written into; the first mail creates it
 * @returns {number | undefined} undefined if this user cannot read it
 */
export function countMails(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.eml')).length;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? 0 : undefined;
  }
}

/**
 * @param {string} folder
 * @param {number | undefined} count
 */
export function formatMail(folder, count) {
  const description = count === undefined ? 'not readable by this user' : count === 1 ? '1 mail' : `${count} mails`;
  return `  Mail       ${folder} (${description}; set SMTP_URL to send them)`;
}
