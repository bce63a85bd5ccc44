import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { listPathPrefixes, nameOf, parentOf } from './read-path.js';

/**
 * Serializes changes of a vault's tree until the transaction ends. A unique index cannot guarantee that no path is both
 * a file and a folder, and that all parent folders exist.
 */
export async function lockTree(tx: Transaction, vaultId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`storage ${vaultId}`}, 0))`;
}

/**
 * Creates the folder at `path` and its parents if they are missing.
 * @throws ValidationError if one of them is a file
 */
export async function ensureFolders(tx: Transaction, vaultId: string, path: string): Promise<void> {
  const folders = listPathPrefixes(path);
  await refuseFiles(tx, vaultId, folders);
  await tx.folder.createMany({
    data: folders.map((folder) => ({
      id: newId(),
      vaultId,
      path: folder,
      name: nameOf(folder),
      parent: parentOf(folder),
    })),
    skipDuplicates: true,
  });
}

/** @throws ValidationError if a parent of `path` is a file */
export const refuseBelowFile = (client: Pick<Transaction, 'file'>, vaultId: string, path: string): Promise<void> =>
  refuseFiles(client, vaultId, listPathPrefixes(parentOf(path)));

/** @throws ValidationError if there is a folder at `path`, where a file would be stored */
export async function refuseFolder(client: Pick<Transaction, 'folder'>, vaultId: string, path: string): Promise<void> {
  const folder = await client.folder.findUnique({ where: { vaultId_path: { vaultId, path } }, select: { id: true } });
  if (folder) throw new ValidationError({ 'body.path': `must not be a folder ("${path}" is one)` });
}

async function refuseFiles(client: Pick<Transaction, 'file'>, vaultId: string, paths: string[]): Promise<void> {
  const file = await client.file.findFirst({ where: { vaultId, path: { in: paths } }, select: { path: true } });
  if (file) throw new ValidationError({ 'body.path': `"${file.path}" is a file, not a folder` });
}
