import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { copyWorkflow, moveWorkflow, getWorkflowLocation, workflowMoved } from '@millrace/contracts/workflows/exchange';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { findProjectId } from '../../projects/find-project-id.js';
import { readSchedule } from '../../schedules/read-schedules.js';
import { findSpace } from '../../spaces/find-space.js';
import { truncateName } from '../../truncate-name.js';
import { StoredValuesChecker } from '../../validation/stored-values-checker.js';
import { findVersion } from '../../versions/find-version.js';
import { findWorkflowForUpdate, findWorkflow } from '../../workflows/find-workflow.js';
import { toWorkflow, withPlaceNames } from '../../workflows/to-workflow.js';
import { copyVersion } from './copy-version.js';

const COPY_SUFFIX = ' (copy)';

/** The name of a copy if the request has none. */
const copyName = (original: string): string => truncateName(original, COPY_SUFFIX.length) + COPY_SUFFIX;

/** Copies and moves workflows within the vault. */
@Controller()
export class TransfersController {
  constructor(
    readonly database: Database,
    readonly storedValues: StoredValuesChecker,
  ) {}

  @OperationHandler(copyWorkflow)
  async copy({ params, body }: Input<typeof copyWorkflow>, context: Context): Promise<Result<typeof copyWorkflow>> {
    const { client } = this.database;
    const source = await findWorkflow(client, params.id, context);
    const versionId = body.version_id ?? source.latestVersionId;
    const version = versionId === null ? null : await findVersion(client, source, versionId);
    const { name = copyName(source.name), space = source.spaceId } = body;
    const project = body.project ?? (space === source.spaceId ? source.projectId : null);
    const { description, longDescription } = source;
    const field = body.version_id === undefined ? 'params.id' : 'body.version_id';
    return copyVersion(this, version, { space, project, name, description, longDescription, field }, context);
  }

  @OperationHandler(moveWorkflow)
  async move({ params, body }: Input<typeof moveWorkflow>, context: Context): Promise<Result<typeof moveWorkflow>> {
    await this.checkLatestVersion(params.id, context);
    return this.database.transaction(async (tx) => {
      const { id, spaceId, projectId } = await findWorkflowForUpdate(tx, params.id, context);
      const { id: space } = await findSpace(tx, body.space, context, 'space.edit');
      const project = (await findProjectId(tx, body.project, space, context, 'body.project')) ?? null;
      const data = { spaceId: space, projectId: project };
      const moved = await orNotFound(
        `Workflow ${id}`,
        tx.workflow.update({ where: { id }, data, include: withPlaceNames }),
      );
      if (space !== spaceId || project !== projectId) {
        tx.emit(workflowMoved, {
          vault: moved.vaultId,
          workflow: id,
          space,
          spaceName: moved.space.name,
          project,
          projectName: moved.project?.name ?? null,
        });
      }
      return toWorkflow(moved, await readSchedule(tx, moved));
    });
  }

  /**
   * Other users run the workflow in the new space, so its latest version must not name files or outputs that the mover
   * may not read.
   */
  private async checkLatestVersion(id: string, context: Context): Promise<void> {
    const workflow = await findWorkflow(this.database.client, id, context);
    if (workflow.latestVersionId === null) return;
    const { data } = await findVersion(this.database.client, workflow, 'latest');
    await this.storedValues.refuseUnreadable(JSON.parse(data), context, 'params.id');
  }

  @OperationHandler(getWorkflowLocation)
  async locate({ body }: Input<typeof getWorkflowLocation>): Promise<Result<typeof getWorkflowLocation>> {
    const where = { id: body.workflow, vaultId: body.vault };
    const found = await this.database.client.workflow.findFirst({ where, include: withPlaceNames });
    if (!found) return { place: null };
    const { spaceId, space, projectId, project } = found;
    return { place: { space: spaceId, spaceName: space.name, project: projectId, projectName: project?.name ?? null } };
  }
}
