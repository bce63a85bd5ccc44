import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of servers that an ordinary user's PATH may lack: Debian installs nats-server into /usr/sbin. */
const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/homebrew/bin',
];

/**
 * @param {string} name
 * @param {string} [path] a PATH; the environment's by default
 * @returns {string | undefined} the absolute path of the executable
 */
export function findCommand(name, path = process.env.PATH ?? '') {
  const folders = [...path.split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
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
