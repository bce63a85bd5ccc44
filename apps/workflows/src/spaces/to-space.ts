import type { Result } from '@millrace/contracts/kit/operation';
import type { getSpace } from '@millrace/contracts/workflows/spaces';
import type { Space } from '@millrace/persistence/generated/client';

/** Loads spaces with their counts, in one query for all of them. */
export const withCounts = { _count: { select: { projects: true, workflows: true } } } as const;

export interface CountedSpace extends Space {
  _count: { projects: number; workflows: number };
}

export const toSpace = (row: CountedSpace): Result<typeof getSpace> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  vault_info: row.vaultId,
  ...(row.color && { color: row.color }),
  playground: row.playground,
  author: row.author,
  author_info: row.author,
  projects_count: row._count.projects,
  workflows_count: row._count.workflows,
  ...(row.metadata !== null && { metadata: row.metadata as Record<string, unknown> }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
