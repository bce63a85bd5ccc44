import { existsSync, readFileSync } from 'node:fs';
import { UserError } from '../report.mjs';
import { lastLines } from '../run-command.mjs';
import { waitUntil } from './wait-until.mjs';

/**
 * Waits until a supervised process is ready.
 * @param {import('../process/supervisor.mjs').Supervisor} supervisor
 * @param {string} name
 * @param {(pid: number) => Promise<boolean> | boolean} isReady
 * @param {{ timeoutMs: number, maxDeaths: number, signal: AbortSignal }} options
 * @throws {UserError} with the end of its log, if it dies `maxDeaths` times or the time is up
 */
export async function waitProcessReady(supervisor, name, isReady, { timeoutMs, maxDeaths, signal }) {
  const process = supervisor.get(name);
  const check = () => {
    if ((process?.deaths ?? 0) >= maxDeaths) throw startError(supervisor.layout, name, 'does not start');
    return process?.pid !== undefined && isReady(process.pid);
  };
  if (await waitUntil(check, { timeoutMs, signal })) return;
  throw startError(supervisor.layout, name, `was not ready within ${timeoutMs / 1000} s`);
}

/**
 * @param {import('../layout.mjs').Layout} layout
 * @param {string} name
 * @param {string} problem such as "does not start"
 */
export function startError(layout, name, problem) {
  const log = layout.log(name);
  const end = existsSync(log) ? lastLines(readFileSync(log, 'utf8'), 15) : '(no log)';
  return new UserError(`${name} ${problem}. The end of ${log}:\n${end}`);
}
