import type { Result } from '@millrace/contracts/kit/operation';
import type { downloadFile, getFile } from '@millrace/contracts/workflows/storage';
import type { File } from '@millrace/persistence/generated/client';

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
