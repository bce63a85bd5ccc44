import { Prisma, type Space, type Workflow } from '@millrace/persistence/generated/client';

/** A workflow with its space and the name of its project. */
export interface WorkflowRow extends Workflow {
  space: Pick<Space, 'id' | 'name' | 'description' | 'color' | 'playground'>;
  project: { name: string } | null;
  /** Whether the workflow has a schedule. */
  scheduled: boolean;
}

export type FlatWorkflowRow = Workflow &
  Record<'spaceDescription' | 'spaceColor' | 'projectName', string | null> & {
    spaceName: string;
    playground: boolean;
    scheduled: boolean;
  };

/**
 * Selects workflows `w` with space and project; the caller appends a WHERE clause. Raw SQL because nearly every request
 * runs it: Prisma's join takes Postgres twice as long and this process four times.
 */
const select = (longDescription: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT w.id, w.vault_id AS "vaultId", w.space_id AS "spaceId", w.project_id AS "projectId", w.name, w.description,
    ${longDescription} AS "longDescription", w.author, w.active_runs AS "activeRuns", w.last_run_status AS "lastRunStatus",
    w.last_run_at AS "lastRunAt", w.latest_version_id AS "latestVersionId", w.is_app AS "isApp",
    w.has_database AS "hasDatabase", w.created_at AS "createdAt", w.modified_at AS "modifiedAt", s.name AS "spaceName",
    s.description AS "spaceDescription", s.color AS "spaceColor", s.playground, p.name AS "projectName",
    EXISTS (SELECT FROM workflows.schedule c WHERE c.workflow_id = w.id) AS scheduled
  FROM workflows.workflow w
  JOIN workflows.space s ON s.id = w.space_id
  LEFT JOIN workflows.project p ON p.id = w.project_id`;

export const SELECT_WORKFLOW = select(Prisma.sql`w.long_description`);

/** For lists, without the long descriptions: a hundred of them may take 30 MB. */
export const SELECT_LISTED_WORKFLOW = select(Prisma.sql`NULL::text`);

export function toWorkflowRow(flat: FlatWorkflowRow): WorkflowRow {
  const { spaceName, spaceDescription, spaceColor, playground, projectName, ...row } = flat;
  const space = {
    id: row.spaceId,
    name: spaceName,
    description: spaceDescription,
    color: spaceColor,
    playground,
  };
  return { ...row, space, project: projectName === null ? null : { name: projectName } };
}
