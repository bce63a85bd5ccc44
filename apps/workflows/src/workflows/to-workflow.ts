import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow, getWorkflowStatus, listVaultWorkflows } from '@millrace/contracts/workflows/workflows';
import type { Workflow } from '@millrace/persistence/generated/client';
import type { ScheduleInfo } from '../schedules/read-schedules.js';
import type { ListedWorkflow } from './find-workflow-page.js';

/** Loads a workflow with the names of its space and project. */
export const withPlaceNames = { space: { select: { name: true } }, project: { select: { name: true } } } as const;

export interface PlacedWorkflow extends Workflow {
  space: { name: string };
  project: { name: string } | null;
}

/** @param schedule from `readSchedules`; a new workflow has none */
export const toWorkflow = (row: PlacedWorkflow, schedule: ScheduleInfo | null = null): Result<typeof getWorkflow> => ({
  ...toStatus(row, schedule),
  name: row.name,
  description: row.description,
  ...(row.longDescription && { long_description: row.longDescription }),
  space_info: row.spaceId,
  space_name: row.space.name,
  ...(row.projectId !== null && row.project && { project_info: row.projectId, project_name: row.project.name }),
  author: row.author,
  ...(row.latestVersionId !== null && { latest_version_info: row.latestVersionId }),
  is_app: row.isApp,
  has_database: row.hasDatabase,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});

/** A workflow with its space, for members who organize the vault. */
export function toVaultWorkflow(row: ListedWorkflow): Result<typeof listVaultWorkflows>['results'][number] {
  const { id, name, description, color, playground } = row.space;
  return { ...toWorkflow(row, row.schedule), space: { id, name, description, ...(color && { color }), playground } };
}

export const toStatus = (row: Workflow, schedule: ScheduleInfo | null) => {
  const executing = row.activeRuns > 0;
  return {
    id: row.id,
    status: executing ? 'RUNNING' : 'IDLE',
    executing,
    ...(row.lastRunStatus !== null && { last_execution_status: row.lastRunStatus }),
    schedule_info: schedule,
  } satisfies Result<typeof getWorkflowStatus>;
};
