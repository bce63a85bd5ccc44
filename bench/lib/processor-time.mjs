import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '../../scripts/lib/services.mjs';

/** Clock ticks of Linux in a second, for /proc. */
const TICKS_PER_SECOND = 100;

/**
 * @param {string} folder data directory of a system
 * @returns {number} processor time that its services have used so far, in milliseconds; commands of steps do not count
 */
export function readProcessorMs(folder) {
  const ticks = SERVICES.map((service) => {
    const pid = readFileSync(join(folder, 'run', `${service}.pid`), 'utf8').trim();
    // The name in parentheses may contain spaces.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return (user ?? NaN) + (system ?? NaN);
  });
  return (ticks.reduce((sum, count) => sum + count, 0) * 1000) / TICKS_PER_SECOND;
}
