import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import type { loadForRun } from '@millrace/contracts/workflows/workflows';
import type { Transaction } from '@millrace/persistence/database';
import type { File } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { listFolderFiles } from './list-folder-files.js';
import { readPath } from './read-path.js';
import { toContent } from './to-file.js';

type Located = Result<typeof loadForRun>['files'];
type Client = Pick<Transaction, '$queryRaw'>;
type Row = Pick<File, 'path' | 'name' | 'sha256' | 'size'>;

/**
 * The files and folders at the paths of a request, in the same order. A path without a file or folder has a problem
 * instead.
 */
export async function locateFiles(client: Client, requested: string[], caller: Caller): Promise<Located> {
  const paths = requested.map(tryReadPath);
  const valid = [...new Set(paths.filter((path) => typeof path === 'string'))];
  if (valid.length === 0) return paths.filter((path) => typeof path !== 'string');
  const { vaultId } = inVault(caller);
  const rows = await readFiles(client, vaultId, valid);
  const found = new Map<string, Located[number]>(rows.map((row) => [row.path, toContent(row)]));
  const others = valid.filter((path) => !found.has(path));
  for (const [path, folder] of await listFolderFiles(client, vaultId, others)) found.set(path, folder);
  return paths.map((path) => {
    if (typeof path !== 'string') return path;
    return found.get(path) ?? { problem: new NotFoundError(`File "${path}"`).message };
  });
}

function tryReadPath(path: string): string | { problem: string } {
  try {
    return readPath(path, 'files');
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message };
    throw error;
  }
}

const readFiles = (client: Client, vaultId: string, paths: string[]): Promise<Row[]> =>
  client.$queryRaw<Row[]>`
    SELECT path, name, sha256, size FROM workflows.file
    WHERE vault_id = ${vaultId}::uuid AND path = ANY(${paths}::text[])`;
