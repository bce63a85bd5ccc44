import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { lineOf, nameOf, parentOf } from './read-path.js';

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
  const line = lineOf(path);
  const file = await tx.file.findFirst({ where: { vaultId, path: { in: line } }, select: { path: true } });
  if (file) throw new ValidationError({ 'body.path': `"${file.path}" is a file, not a folder` });
  await tx.folder.createMany({
    data: line.map((each) => ({ id: newId(), vaultId, path: each, name: nameOf(each), parent: parentOf(each) })),
    skipDuplicates: true,
  });
}
