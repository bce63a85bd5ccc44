import type { Result } from '@millrace/contracts/kit/operation';
import type { getModule, updateModule } from '@millrace/contracts/workflows/library';
import { toNode } from '@millrace/library/to-node';
import type { ModuleRow } from './module-row.js';

export const toModule = (row: ModuleRow): Result<typeof updateModule> => ({
  ...row.definition,
  id: row.id,
  name: row.name,
  ...(row.description && { description: row.description }),
  type: row.type,
  ...(row.category && { category: row.category }),
  ...(row.author !== null && { author: row.author }),
  ...(row.vaultId !== null && { vault: row.vaultId, vault_info: { id: row.vaultId } }),
  built_in: row.vaultId === null,
  version: row.latest,
  ...(row.sourceUrl && { source_url: row.sourceUrl }),
  ...(row.docLink && { doc_link: row.docLink }),
  ...(row.licenseInfo && { license_info: row.licenseInfo }),
  ...(row.available === false && { available: false }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});

export const toModuleWithNode = (row: ModuleRow): Result<typeof getModule> => ({
  ...toModule(row),
  node: toNode({ ...row.definition, id: row.id, name: row.name, type: row.type }),
});
