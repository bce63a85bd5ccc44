import { readdirSync } from 'node:fs';

/**
 * @param {string} folder that mails are written into; it is made with the first of them
 * @returns {number | undefined} undefined where this user may not look into it
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
  const found = count === undefined ? 'not yours to see' : count === 1 ? '1 mail' : `${count} mails`;
  return `  Mail    ${folder} (${found}; set SMTP_URL to send them)`;
}
