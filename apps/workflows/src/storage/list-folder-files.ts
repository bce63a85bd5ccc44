import type { z } from 'zod';
import { MAX_FOLDER_FILES, MAX_FOLDER_PATH_BYTES, type storedFolder } from '@millrace/contracts/workflows/storage';
import type { Transaction } from '@millrace/persistence/database';
import type { File } from '@millrace/persistence/generated/client';

type Client = Pick<Transaction, '$queryRaw'>;
type Listed = z.output<typeof storedFolder> | { problem: string };
type Row = Pick<File, 'path' | 'sha256' | 'size'> & { folder: string };

/**
 * What lies in the folders at these paths and below them, by path; a path without a folder is left out. Together they
 * hold no more than one answer can carry: where they hold more, each has that problem in place of its files.
 */
export async function listFolderFiles(client: Client, vaultId: string, paths: string[]): Promise<Map<string, Listed>> {
  if (paths.length === 0) return new Map();
  const folders = await findFolders(client, vaultId, paths);
  const rows = folders.length === 0 ? [] : await readFiles(client, vaultId, folders);
  const problem = whatIsTooMuch(rows);
  if (problem !== null) return new Map(folders.map((path) => [path, { problem }]));
  const listed = new Map<string, z.output<typeof storedFolder>>(folders.map((path) => [path, { folder: [] }]));
  for (const { folder, path, sha256, size } of rows) {
    listed.get(folder)?.folder.push({ path: path.slice(folder.length + 1), sha256, size: Number(size) });
  }
  return listed;
}

function whatIsTooMuch(rows: Row[]): string | null {
  if (rows.length > MAX_FOLDER_FILES) {
    return `Folders that are given to a run may hold ${MAX_FOLDER_FILES} files together; there are more`;
  }
  const bytes = rows.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0);
  return bytes > MAX_FOLDER_PATH_BYTES ? 'The paths in folders that are given to a run take over 8 MiB' : null;
}

async function findFolders(client: Client, vaultId: string, paths: string[]): Promise<string[]> {
  const rows = await client.$queryRaw<{ path: string }[]>`
    SELECT path FROM workflows.folder WHERE vault_id = ${vaultId}::uuid AND path = ANY(${paths}::text[])`;
  return rows.map(({ path }) => path);
}

const readFiles = (client: Client, vaultId: string, folders: string[]): Promise<Row[]> =>
  client.$queryRaw<Row[]>`
    SELECT given.path AS folder, file.path, file.sha256, file.size
    FROM unnest(${folders}::text[]) AS given (path)
    JOIN workflows.file ON file.vault_id = ${vaultId}::uuid
      AND file.path COLLATE "C" > given.path || '/' AND file.path COLLATE "C" < given.path || '0'
    ORDER BY file.path COLLATE "C"
    LIMIT ${MAX_FOLDER_FILES + 1}`;
