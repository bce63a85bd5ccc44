import { CliError } from '../cli-error.js';

/**
 * Returns the path of a stored file below a folder of the storage.
 * @throws CliError if it would be outside of the local folder: other users choose the names of stored files
 */
export function pathBelow(folder: string, path: string): string {
  const below = folder === '' ? path : path.slice(folder.length + 1);
  const isUnsafe = below.split('/').some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part));
  if (isUnsafe) throw new CliError(`The stored file "${path}" has a path outside of the folder.`);
  return below;
}

/** Removes slashes at the ends, and an empty path is the root. */
export const cleanPath = (path: string): string => path.replaceAll(/^\/+|\/+$/g, '');
