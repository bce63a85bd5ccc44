import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dataLayout } from '../../layout.mjs';
import { acquireLock } from '../../process/acquire-lock.mjs';
import { UserError } from '../../report.mjs';
import { prepareDataDir } from '../../system/prepare-data-dir.mjs';
import { restoreDatabase } from './restore-database.mjs';
import { runOwnPostgres } from './run-own-postgres.mjs';

/**
 * @typedef {object} Target
 * @property {() => Promise<void>} fill restores the database and the keys
 * @property {() => string[]} complete makes them the ones of the installation; returns lines for the user
 */

/**
 * The own Postgres of a data directory. It is restored in a subfolder, and replaces the former one at the end, so a restore
 * that fails changes nothing.
 * @param {import('./restore-backup.mjs').RestoreContext} context
 * @returns {Target}
 */
export function openOwnTarget({ installation, folder, manifest, keys, force, report }) {
  const { layout } = installation;
  if (existsSync(layout.postgres) && !force)
    throw new UserError(`${layout.dir} has data. Choose another MILLRACE_DATA_DIR, or pass --force to replace it.`);
  prepareDataDir(layout);
  const lock = acquireLock(layout.lock);
  if (!lock.acquired) throw new UserError(`Process ${lock.pid} uses ${layout.dir}.`);
  process.on('exit', lock.release);
  const draft = dataLayout(join(layout.dir, 'restoring'));
  return {
    fill: async () => {
      try {
        await runOwnPostgres(draft, keys, report, (url) => restoreDatabase({ url, folder, manifest, report }));
      } catch (error) {
        rmSync(draft.dir, { recursive: true, force: true });
        throw error;
      }
    },
    complete: () => {
      const former = setAside(layout);
      for (const path of ['postgres', 'secrets', 'masterKeys'])
        renameSync(/** @type {any} */ (draft)[path], /** @type {any} */ (layout)[path]);
      rmSync(draft.dir, { recursive: true, force: true });
      return former
        ? [`The former database and keys are in ${former}. Delete that folder when you no longer need it.`]
        : [];
    },
  };
}

/**
 * Moves what belongs to the former database out of the way: also the queues and streams, because they refer to it.
 * @param {import('../../layout.mjs').Layout} layout
 * @returns {string | undefined} the folder; undefined if there was nothing
 */
function setAside(layout) {
  const paths = [layout.postgres, layout.redis, layout.nats, layout.secrets, layout.masterKeys].filter(existsSync);
  if (!existsSync(layout.postgres)) {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
    return undefined;
  }
  const former = join(layout.dir, `before-restore-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
  mkdirSync(former, { mode: 0o711 });
  for (const path of paths) renameSync(path, join(former, basename(path)));
  return former;
}
