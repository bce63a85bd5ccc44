import type { Result } from '@millrace/contracts/kit/operation';
import type { getProject } from '@millrace/contracts/workflows/projects';
import type { Project } from '@millrace/persistence/generated/client';

/** Loads a project with its space's name and the number of its workflows. */
export const withSpace = { space: { select: { name: true } }, _count: { select: { workflows: true } } } as const;

export interface PlacedProject extends Project {
  space: { name: string };
  _count: { workflows: number };
}

export const toProject = (row: PlacedProject): Result<typeof getProject> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  space_info: row.spaceId,
  space_name: row.space.name,
  workflows_count: row._count.workflows,
  author: row.author,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
