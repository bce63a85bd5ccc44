import { appendFileSync, copyFileSync, statSync, truncateSync } from 'node:fs';

/**
 * Moves a log that has grown beyond the limit to `<log>.1`. It is copied and emptied, not renamed: the process that
 * writes it holds it open for appending and goes on at its new end. Lines written in between are lost.
 * @param {string} file
 * @param {number} [limitBytes]
 */
export function rotateLog(file, limitBytes = 20 * 1024 * 1024) {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= limitBytes) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/**
 * A supervisor's own line in the log of the process it is about.
 * @param {string} file
 * @param {string} text
 */
export function noteInLog(file, text) {
  appendFileSync(file, `--- ${new Date().toISOString()} supervisor: ${text}\n`);
}
