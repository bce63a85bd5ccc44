import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { UserError } from '../report.mjs';
import { isUnattended } from './is-unattended.mjs';

const ACCEPTED = ['required', 'off'];

/**
 * Checks `WORKER_ISOLATION`, so that an invalid value fails the command before anything is built.
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError} if the value is not accepted
 */
export function checkIsolationSetting({ WORKER_ISOLATION: value }) {
  if (!value || ACCEPTED.includes(value)) return;
  const note = value === 'auto' ? '; "auto" no longer exists' : '';
  throw new UserError(`WORKER_ISOLATION must be "required" or "off" (got "${value}"${note}).`);
}

/**
 * Checks whether this machine can isolate the steps of workflows, before the worker refuses to start. If it cannot, the
 * user decides whether steps run without isolation, and `env.WORKER_ISOLATION` gets the decision. A value that is set
 * already stays.
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env
 * @param {Pick<import('../layout.mjs').Layout, 'work' | 'objects'>} options.layout
 * @param {import('../report.mjs').Report} options.report
 * @param {(reason: string) => Promise<boolean>} [options.confirm] returns whether steps may run without isolation
 * @param {string} [options.searchPath] folders to search for bubblewrap; by default those of the worker
 * @throws {UserError} if steps cannot be isolated and the user does not accept that
 */
export async function ensureIsolation({ env, layout, report, confirm = confirmInTerminal, searchPath }) {
  // Steps in containers need no isolation of this machine.
  if (env.WORKER_ISOLATION || (env.WORKER_EXECUTOR || 'sandbox') !== 'sandbox') return;
  const reason = await findObstacle(env, layout, searchPath);
  if (reason === undefined) return;
  const canConfirm = confirm !== confirmInTerminal || !isUnattended(env);
  if (!canConfirm || !(await confirm(reason))) {
    throw new UserError(reason);
  }
  env.WORKER_ISOLATION = 'off';
  report('  WARNING: steps run without isolation. Set WORKER_ISOLATION=off to skip this question.');
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Pick<import('../layout.mjs').Layout, 'work' | 'objects'>} layout
 * @param {string | undefined} searchPath
 * @returns {Promise<string | undefined>} the reason why steps cannot be isolated; undefined if they can
 */
async function findObstacle(env, layout, searchPath) {
  // A static import would fail before the build.
  const { prepareIsolation } = await import('../../../libs/isolation/dist/prepare/prepare-isolation.js');
  const work = env.WORK_DIR || layout.work;
  mkdirSync(work, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(work, 'trial-'));
  try {
    const hidden = [work, env.STORAGE_DIR || layout.objects];
    await prepareIsolation('required', folder, { hidden, ...(searchPath !== undefined && { searchPath }) });
    return undefined;
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (name !== 'IsolationUnavailableError') throw error;
    return message;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} reason */
async function confirmInTerminal(reason) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`${reason}\nStart and run steps without isolation? [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
