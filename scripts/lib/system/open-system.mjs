import { acquireLock } from '../process/acquire-lock.mjs';
import { endOrphans } from '../process/end-orphans.mjs';
import { Supervisor } from '../process/supervisor.mjs';
import { UserError } from '../report.mjs';
import { ensureMasterKeys } from '../servers/ensure-master-keys.mjs';
import { loadSecrets } from '../servers/load-secrets.mjs';
import { SERVERS } from '../services.mjs';
import { prepareDataDir } from './prepare-data-dir.mjs';

const SERVER_NAMES = Object.keys(SERVERS);

/**
 * A data directory that this process supervises.
 * @typedef {object} OpenSystem
 * @property {Supervisor} supervisor
 * @property {import('../servers/load-secrets.mjs').Secrets} secrets
 * @property {() => Promise<void>} stop stops all processes in order; later calls wait for the first
 * @property {() => void} kill kills all processes at once
 */

/**
 * Opens a data directory: acquires its lock, creates its folders and secrets, and ends the processes of a killed supervisor.
 * @param {import('../layout.mjs').Layout} layout
 * @param {{ mode: string, report: import('../report.mjs').Report, onEvent?: import('../report.mjs').Report }} options
 * @returns {Promise<OpenSystem>}
 */
export async function openSystem(layout, { mode, report, onEvent }) {
  prepareDataDir(layout);
  const lock = acquireLock(layout.lock);
  if (!lock.acquired) throw new UserError(`Process ${lock.pid} is already starting Millrace in ${layout.dir}.`);
  const orphans = await endOrphans(layout, SERVER_NAMES);
  if (orphans.length > 0) report(`  ended processes of a killed supervisor: ${orphans.join(', ')}`);
  const secrets = loadSecrets(layout.secrets);
  ensureMasterKeys(layout.masterKeys);
  const supervisor = new Supervisor(layout, mode, onEvent);
  /** @type {Promise<void> | undefined} */
  let stopped;
  const stop = async () => {
    supervisor.describe({ phase: 'stopping' });
    // Workers finish their running steps, and report them to the services behind.
    await supervisor.stop(['gateway', 'worker']);
    await supervisor.stop(supervisor.names().filter((name) => !SERVER_NAMES.includes(name)));
    await supervisor.stop(SERVER_NAMES);
    supervisor.close();
    lock.release();
  };
  const kill = () => {
    supervisor.killAll();
    supervisor.close();
    lock.release();
  };
  return { supervisor, secrets, stop: () => (stopped ??= stop()), kill };
}
