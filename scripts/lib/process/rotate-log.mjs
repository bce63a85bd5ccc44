import { appendFileSync, copyFileSync, rmSync, statSync, truncateSync } from 'node:fs';

/**
 * Moves a log that has grown beyond the limit to `<log>.1`. It is copied and emptied, not renamed: the process that
 * writes it holds it open for appending and goes on at its new end. Lines written in between are lost.
 * @param {string} file
 * @param {number} [limitBytes]
 */
export function rotateLog(file, limitBytes = 20 * 1024 * 1024) {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= limitBytes) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch (error) {
    // On a full disk half a copy would take what is left, and the log itself is the newer of the two.
    rmSync(`${file}.1`, { force: true });
    if (!isDiskFull(error)) throw error;
  }
  truncateSync(file);
}

/**
 * A supervisor's own line in the log of the process it is about.
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
