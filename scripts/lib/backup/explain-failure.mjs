import { UserError } from '../report.mjs';

const REASONS = /** @type {Record<string, string>} */ ({
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is no folder',
  EIO: 'the disk has errors',
});

/** By SQLSTATE. */
const POSTGRES_REASONS = /** @type {Record<string, string>} */ ({
  42501: 'DATABASE_URL must name the owner of the database',
  53100: 'the disk of Postgres is full',
  '57P01': 'Postgres was stopped',
});

/**
 * Turns errors of the file system, the object store and Postgres into messages for the user.
 * @template T
 * @param {string} folder named if the error has no path
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function explainFailure(folder, work) {
  try {
    return await work();
  } catch (error) {
    const { code = '', path = folder, name, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (name === 'StoreFailedError') throw new UserError(`${message[0]?.toUpperCase()}${message.slice(1)}.`);
    if (POSTGRES_REASONS[code]) throw new UserError(`Postgres reports "${message}": ${POSTGRES_REASONS[code]}.`);
    const reason = REASONS[code];
    if (reason === undefined) throw error;
    throw new UserError(`${path} cannot be read or written: ${reason} (${code}).`);
  }
}
