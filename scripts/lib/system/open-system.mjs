import { endOrphans } from '../process/end-orphans.mjs';
import { Supervisor } from '../process/supervisor.mjs';
import { takeLock } from '../process/take-lock.mjs';
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
 * @property {() => Promise<void>} stop ends everything in order; more calls wait for the first
 * @property {() => void} kill ends everything at once
 */

/**
 * Takes a data directory over: makes its folders and secrets, and ends what a killed supervisor left running there.
 * @param {import('../layout.mjs').Layout} layout
 * @param {{ mode: string, report: import('../report.mjs').Report, onEvent?: import('../report.mjs').Report }} options
 * @returns {Promise<OpenSystem>}
 */
export async function openSystem(layout, { mode, report, onEvent }) {
  prepareDataDir(layout);
  const lock = takeLock(layout.lock);
  if (!lock.taken) throw new UserError(`Process ${lock.pid} is starting Millrace in ${layout.dir} already.`);
  const orphans = await endOrphans(layout, SERVER_NAMES);
  if (orphans.length > 0) report(`  ended what a killed supervisor left running: ${orphans.join(', ')}`);
  const secrets = loadSecrets(layout.secrets);
  ensureMasterKeys(layout.masterKeys);
  const supervisor = new Supervisor(layout, mode, onEvent);
  /** @type {Promise<void> | undefined} */
  let stopped;
  const stop = async () => {
    supervisor.describe({ phase: 'stopping' });
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
