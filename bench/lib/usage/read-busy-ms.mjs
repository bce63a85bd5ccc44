import { readFileSync } from 'node:fs';

/** Clock ticks of Linux in a second, for /proc. */
const TICKS_PER_SECOND = 100;

/**
 * Reads how long the processors of this machine were busy since its start, with any program (proc_stat(5)). Linux only.
 * @returns {number} milliseconds, of all processors
 */
export function readBusyMs() {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = NaN, nice = NaN, system = NaN, , , interrupt = NaN, softInterrupt = NaN] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return ((user + nice + system + interrupt + softInterrupt) * 1000) / TICKS_PER_SECOND;
}
