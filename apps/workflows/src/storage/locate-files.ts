import type { z } from 'zod';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import {
  MAX_FOLDER_FILES,
  MAX_FOLDER_PATH_BYTES,
  type storedFolder,
  type downloadFile,
  type getFile,
} from '@millrace/contracts/workflows/storage';
import type { loadForRun } from '@millrace/contracts/workflows/workflows';
import type { Transaction } from '@millrace/persistence/database';
import type { File } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { readPath } from './read-path.js';

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

type Listed = z.output<typeof storedFolder> | { problem: string };
type FolderFile = Pick<File, 'path' | 'sha256' | 'size'> & { folder: string };

/**
 * The files in the folders at these paths and their subfolders, by path; a path without a folder is left out. If they
 * are too many for one response, each folder has a problem instead of its files.
 */
async function listFolderFiles(client: Client, vaultId: string, paths: string[]): Promise<Map<string, Listed>> {
  if (paths.length === 0) return new Map();
  const folders = await findFolders(client, vaultId, paths);
  const rows = folders.length === 0 ? [] : await readFolderFiles(client, vaultId, folders);
  const problem = findSizeProblem(rows);
  if (problem !== null) return new Map(folders.map((path) => [path, { problem }]));
  const listed = new Map<string, z.output<typeof storedFolder>>(folders.map((path) => [path, { folder: [] }]));
  for (const { folder, path, sha256, size } of rows) {
    listed.get(folder)?.folder.push({ path: path.slice(folder.length + 1), sha256, size: Number(size) });
  }
  return listed;
}

function findSizeProblem(rows: FolderFile[]): string | null {
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

const readFolderFiles = (client: Client, vaultId: string, folders: string[]): Promise<FolderFile[]> =>
  client.$queryRaw<FolderFile[]>`
    SELECT root.path AS folder, file.path, file.sha256, file.size
    FROM unnest(${folders}::text[]) AS root (path)
    JOIN workflows.file ON file.vault_id = ${vaultId}::uuid
      AND file.path COLLATE "C" > root.path || '/' AND file.path COLLATE "C" < root.path || '0'
    ORDER BY file.path COLLATE "C"
    LIMIT ${MAX_FOLDER_FILES + 1}`;

export const toFile = (row: File): Result<typeof getFile> => ({
  ...toContent(row),
  id: row.id,
  path: row.path,
  ...(row.folder && { folder: row.folder }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});

/** The object in the store that contains a file's bytes, by its hash. */
export const toContent = (row: Pick<File, 'name' | 'sha256' | 'size'>): Result<typeof downloadFile> => ({
  name: row.name,
  sha256: row.sha256,
  size: Number(row.size),
});
