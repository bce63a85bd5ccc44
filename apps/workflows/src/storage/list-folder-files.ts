import type { z } from 'zod';
import { MAX_FOLDER_FILES, MAX_FOLDER_PATH_BYTES, type storedFolder } from '@millrace/contracts/workflows/storage';
import type { Transaction } from '@millrace/persistence/database';
import type { File } from '@millrace/persistence/generated/client';

type Client = Pick<Transaction, '$queryRaw'>;
type Listed = z.output<typeof storedFolder> | { problem: string };
type Row = Pick<File, 'path' | 'sha256' | 'size'> & { folder: string };

/**
 * The files in the folders at these paths and their subfolders, by path; a path without a folder is left out. If they
 * are too many for one response, each folder has a problem instead of its files.
 */
export async function listFolderFiles(client: Client, vaultId: string, paths: string[]): Promise<Map<string, Listed>> {
  if (paths.length === 0) return new Map();
  const folders = await findFolders(client, vaultId, paths);
  const rows = folders.length === 0 ? [] : await readFiles(client, vaultId, folders);
  const problem = findSizeProblem(rows);
  if (problem !== null) return new Map(folders.map((path) => [path, { problem }]));
  const listed = new Map<string, z.output<typeof storedFolder>>(folders.map((path) => [path, { folder: [] }]));
  for (const { folder, path, sha256, size } of rows) {
    listed.get(folder)?.folder.push({ path: path.slice(folder.length + 1), sha256, size: Number(size) });
  }
  return listed;
}

function findSizeProblem(rows: Row[]): string | null {
  if (rows.length > MAX_FOLDER_FILES) {
    return `The folders among a run's inputs may contain at most ${MAX_FOLDER_FILES} files together.`;
  }
  const bytes = rows.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0);
  return bytes > MAX_FOLDER_PATH_BYTES
    ? "The paths of the files in a run's input folders may take at most 8 MiB together."
    : null;
}

async function findFolders(client: Client, vaultId: string, paths: string[]): Promise<string[]> {
  const rows = await client.$queryRaw<{ path: string }[]>`
    SELECT path FROM workflows.folder WHERE vault_id = ${vaultId}::uuid AND path = ANY(${paths}::text[])`;
  return rows.map(({ path }) => path);
}

const readFiles = (client: Client, vaultId: string, folders: string[]): Promise<Row[]> =>
  client.$queryRaw<Row[]>`
    SELECT root.path AS folder, file.path, file.sha256, file.size
    FROM unnest(${folders}::text[]) AS root (path)
    JOIN workflows.file ON file.vault_id = ${vaultId}::uuid
      AND file.path COLLATE "C" > root.path || '/' AND file.path COLLATE "C" < root.path || '0'
    ORDER BY file.path COLLATE "C"
    LIMIT ${MAX_FOLDER_FILES + 1}`;
