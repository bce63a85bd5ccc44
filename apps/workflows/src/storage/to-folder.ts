import type { Result } from '@millrace/contracts/kit/operation';
import type { createFolder } from '@millrace/contracts/workflows/storage';
import type { Folder } from '@millrace/persistence/generated/client';

export const toFolder = (row: Folder): Result<typeof createFolder>['folder'] => ({
  id: row.id,
  path: row.path,
  name: row.name,
  ...(row.parent && { parent: row.parent }),
  ...(row.description && { description: row.description }),
  created_date: row.createdAt.toISOString(),
});
