import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { listPathPrefixes, nameOf, parentOf } from './read-path.js';

/**
 * Lets one writer at a time change a vault's tree until its transaction ends: that no path is a file and a folder at
 * once, and that every folder above is there, is more than a unique index can hold.
 */
export async function lockTree(tx: Transaction, vaultId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`storage ${vaultId}`}, 0))`;
}

/**
 * Makes the folder at `path` and those above it, where they are missing.
 * @throws ValidationError where one of them is a file
 */
export async function ensureFolders(tx: Transaction, vaultId: string, path: string): Promise<void> {
  const line = listPathPrefixes(path);
  await refuseFiles(tx, vaultId, line);
  await tx.folder.createMany({
    data: line.map((each) => ({ id: newId(), vaultId, path: each, name: nameOf(each), parent: parentOf(each) })),
    skipDuplicates: true,
  });
}

/** @throws ValidationError where a file lies on the way to `path` */
export const refuseBelowFile = (client: Pick<Transaction, 'file'>, vaultId: string, path: string): Promise<void> =>
  refuseFiles(client, vaultId, listPathPrefixes(parentOf(path)));

/** @throws ValidationError where there is a folder at `path`, which a file is to take */
export async function refuseFolder(client: Pick<Transaction, 'folder'>, vaultId: string, path: string): Promise<void> {
  const folder = await client.folder.findUnique({ where: { vaultId_path: { vaultId, path } }, select: { id: true } });
  if (folder) throw new ValidationError({ 'body.path': 'is a folder' });
}

async function refuseFiles(client: Pick<Transaction, 'file'>, vaultId: string, paths: string[]): Promise<void> {
  const file = await client.file.findFirst({ where: { vaultId, path: { in: paths } }, select: { path: true } });
  if (file) throw new ValidationError({ 'body.path': `"${file.path}" is a file, not a folder` });
}
