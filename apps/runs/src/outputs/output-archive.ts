import { Injectable } from '@nestjs/common';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { chooseOutputFolders, joinOutputPath, type OutputNode } from '@millrace/contracts/runs/output-paths';
import type { archiveOutputs } from '@millrace/contracts/runs/outputs';
import { Database } from '@millrace/persistence/database';
import { Prisma, type Output, type Run } from '@millrace/persistence/generated/client';
import { isId, timeOfId } from '@millrace/persistence/ids';
import { PlanStore } from '../engine/plans/plan-store.js';
import { loadPlan } from '../runs/load-plan.js';
import { toContent } from './to-output.js';

type Query = Input<typeof archiveOutputs>['query'];
type ArchivePart = Result<typeof archiveOutputs>;
type NodeOfStep = OutputNode & { step: number };
type Row = Pick<Output, 'id' | 'step' | 'task' | 'node' | 'path' | 'size' | 'sha256' | 'shownSize' | 'shownSha256'>;

const MAX_FILES = 1_000;
/** Paths have up to 1,024 characters, and a message of the broker has a maximum size. */
const MAX_PATH_BYTES = 128 * 1024;

/** Lists the files of an archive of outputs, in parts. A run can have millions of them. */
@Injectable()
export class OutputArchive {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
  ) {}

  async list(run: Run, query: Query): Promise<ArchivePart> {
    const nodes = await this.findNodes(run, await this.selectSteps(run, query), query);
    const folders = chooseOutputFolders(nodes);
    // A node whose first output arrives now is not in this part: it has no folder yet.
    const rows = await this.findRows(
      run,
      nodes.map(({ step }) => step),
      query,
    );
    if (rows.length === 0 && query.after === undefined) {
      throw new ApiError('not_found', `Run ${run.id} has no such outputs.`);
    }
    const part = limitPaths(rows.slice(0, MAX_FILES));
    return {
      name: `${run.workflowName.replaceAll(/[/\\]/g, '-')}-run-${run.id}.zip`,
      files: part.map((row) => toFile(row, folders.get(row.node) ?? row.node)),
      next: part.length < rows.length ? (part.at(-1)?.id ?? null) : null,
    };
  }

  private async selectSteps(run: Run, { node, named }: Query): Promise<number[]> {
    const { plan } = await loadPlan(this.plans, run);
    const outputs = named === 'true' ? new Set(plan.outputs.map(({ step }) => step)) : null;
    const selected = plan.steps.filter(
      (step) => (outputs?.has(step.index) ?? true) && (node === undefined || step.node === node),
    );
    return selected.map(({ index }) => index);
  }

  /** The nodes that have outputs. Reads one row for each step from the index (run, step, task). */
  private findNodes(run: Run, steps: readonly number[], { label }: Query): Promise<NodeOfStep[]> {
    return this.database.client.$queryRaw<NodeOfStep[]>`
      SELECT s.step, found.node, found.label, found.task > 0 AS "hasChildren" FROM unnest(${steps}::int[]) AS s(step),
        LATERAL (SELECT node, label, task FROM runs.output WHERE run_id = ${run.id} AND step = s.step AND NOT replaced LIMIT 1) AS found
      WHERE ${label ?? null}::text IS NULL OR found.label = ${label ?? null}`;
  }

  /**
   * One more than a part has: it shows whether there is another part. Each step is read from the index (run, step, task), and begins
   * where the part before ended. A condition on a list of steps would read and sort the rest of the run for each part.
   */
  private async findRows(run: Run, steps: readonly number[], { label, after }: Query): Promise<Row[]> {
    const last = after === undefined ? null : await this.findPlace(run, after);
    const rest = steps.filter((step) => last === null || step >= last.step).toSorted((a, b) => a - b);
    const isLast = Prisma.sql`s.step = ${last?.step ?? null}::int`;
    return this.database.client.$queryRaw<Row[]>`
      SELECT found.* FROM unnest(${rest}::int[]) WITH ORDINALITY AS s(step, place), LATERAL (
        SELECT id, step, task, node, path, size, sha256, shown_size AS "shownSize", shown_sha256 AS "shownSha256"
        FROM runs.output WHERE run_id = ${run.id} AND step = s.step AND NOT replaced
          AND (${label ?? null}::text IS NULL OR label = ${label ?? null})
          AND (task, path COLLATE "C") > (
            CASE WHEN ${isLast} THEN ${last?.task ?? null}::int ELSE -1 END,
            CASE WHEN ${isLast} THEN ${last?.path ?? null}::text ELSE '' END)
        ORDER BY task, path COLLATE "C" LIMIT ${MAX_FILES + 1}) AS found
      ORDER BY s.place, found.task, found.path COLLATE "C" LIMIT ${MAX_FILES + 1}`;
  }

  /** An output that a retry has replaced still has its place. */
  private async findPlace(run: Run, id: string): Promise<Row> {
    const row = isId(id) ? await this.database.client.output.findFirst({ where: { id, runId: run.id } }) : null;
    if (!row) throw new NotFoundError(`Output ${id}`);
    return row;
  }
}

function limitPaths(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ path }) => (bytes += Buffer.byteLength(path)) > MAX_PATH_BYTES);
  return rows.slice(0, end === -1 ? rows.length : Math.max(1, end));
}

function toFile(row: Row, folder: string): ArchivePart['files'][number] {
  const { sha256, size } = toContent(row);
  const path = joinOutputPath(folder, row.task > 0 ? row.task : undefined, row.path);
  return { path, sha256, size, modified: timeOfId(row.id).getTime() };
}
