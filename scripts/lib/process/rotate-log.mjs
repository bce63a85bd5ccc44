import { appendFileSync, copyFileSync, rmSync, statSync, truncateSync } from 'node:fs';

/**
 * Moves a log that is larger than the limit to `<log>.1`. It copies and truncates the file instead of renaming it, because
 * the writing process has it open for appending. Lines that are written in between are lost.
 * @param {string} file
 * @param {number} [limitBytes]
 */
export function rotateLog(file, limitBytes = 20 * 1024 * 1024) {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= limitBytes) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch (error) {
    // On a full disk, half a copy would use the remaining space, and the log itself is newer than the copy.
    rmSync(`${file}.1`, { force: true });
    if (!isDiskFull(error)) throw error;
  }
  truncateSync(file);
}

/**
 * Writes a line of the supervisor into the log of a process.
 * @param {string} file
 * @param {string} text
 */
export function noteInLog(file, text) {
  try {
    appendFileSync(file, `--- ${new Date().toISOString()} supervisor: ${text}\n`);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

/** @param {unknown} error */
export const isDiskFull = (error) =>
  ['ENOSPC', 'EDQUOT'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
