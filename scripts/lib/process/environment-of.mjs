import { readFileSync } from 'node:fs';

/**
 * The environment that a running process was started with (proc(5)).
 * @param {number} pid of a process of this user
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf(pid) {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
