import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where servers live that an ordinary user's PATH leaves out: Debian puts nats-server into /usr/sbin. */
const ALSO = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin', '/opt/homebrew/bin'];

/**
 * @param {string} name
 * @param {string} [path] a PATH; default the environment's
 * @returns {string | undefined} the absolute path of the executable
 */
export function findCommand(name, path = process.env.PATH ?? '') {
  const folders = [...path.split(delimiter).filter(Boolean), ...ALSO];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
