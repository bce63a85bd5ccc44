import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { UserError } from '../report.mjs';

/**
 * Creates the data directory and its folders. Other users may enter the directory but not list it, because PostgreSQL's own
 * user must enter it if root starts the system.
 * @param {import('../layout.mjs').Layout} layout
 */
export function prepareDataDir(layout) {
  try {
    const existed = statSync(layout.dir, { throwIfNoEntry: false });
    mkdirSync(layout.dir, { recursive: true });
    if (!existed) chmodSync(layout.dir, 0o711);
    accessSync(layout.dir, constants.W_OK | constants.X_OK);
    for (const folder of [layout.redis, layout.nats, layout.objects, layout.work, layout.logs]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    mkdirSync(layout.run, { recursive: true });
    accessSync(layout.logs, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    throw new UserError(
      `${userInfo().username} cannot write the data directory ${layout.dir} (${reason}).\n` +
        'Run as the user who owns it, or choose another directory: MILLRACE_DATA_DIR=… npm run up',
    );
  }
}
