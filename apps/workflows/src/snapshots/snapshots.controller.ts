import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  createSnapshot,
  deleteSnapshot,
  getSnapshot,
  listSnapshots,
  restoreSnapshot,
  updateSnapshot,
} from '@millrace/contracts/workflows/snapshots';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inspectData } from '../validation/inspect-data.js';
import { StoredValuesChecker } from '../validation/stored-values-checker.js';
import { findVersion } from '../versions/find-version.js';
import { resaveVersion } from '../versions/saving/resave-version.js';
import { findWorkflow } from '../workflows/find-workflow.js';
import { lockWorkflow } from '../workflows/lock-workflow.js';
import { findSnapshot, toSnapshot, withOrigin } from './find-snapshot.js';
import { checkPublishable, markPublished, publishVersion } from './publish-version.js';

/** The workflow is locked, so the name stays free until the transaction ends. @throws ValidationError */
async function refuseUsedName(tx: Transaction, versionId: string, uniqueName: string): Promise<void> {
  const used = await tx.snapshot.count({ where: { versionId, uniqueName } });
  if (used > 0) throw new ValidationError({ 'body.name': 'is the name of another snapshot of this version' });
}

/** A workflow's snapshots, for users with a role in its space. The library shows them to the whole vault. */
@Controller()
export class SnapshotsController {
  constructor(
    private readonly database: Database,
    private readonly storedValues: StoredValuesChecker,
  ) {}

  @OperationHandler(listSnapshots)
  async list({ params, query }: Input<typeof listSnapshots>, context: Context): Promise<Result<typeof listSnapshots>> {
    const { client } = this.database;
    const { id } = await findWorkflow(client, params.id, context);
    const where = { workflowId: id, ...searchFilter(query.search, ['name', 'description']) };
    const [rows, count] = await Promise.all([
      client.snapshot.findMany({ where, include: withOrigin, ...pageArgs(query, DATE_COLUMNS) }),
      client.snapshot.count({ where }),
    ]);
    return { results: rows.map(toSnapshot), count };
  }

  /** Validates before it locks, so that a large workflow blocks no other request. */
  @OperationHandler(createSnapshot)
  async create(
    { params, body }: Input<typeof createSnapshot>,
    context: Context,
  ): Promise<Result<typeof createSnapshot>> {
    const { client } = this.database;
    const workflow = await findWorkflow(client, params.id, context);
    const version = await findVersion(client, workflow, body.workflow_version_info);
    const { id, workflowId } = version;
    const { caller } = context;
    const published = { id: workflowId, latestVersionId: id, spaceId: workflow.spaceId };
    const inspection = { stored: true, warnings: false };
    const { errors } = await inspectData(client, JSON.parse(version.data), published, caller, inspection);
    checkPublishable(errors, 'body.workflow_version_info');
    const { name, description } = body;
    return this.database.transaction(async (tx) => {
      await lockWorkflow(tx, workflowId);
      return toSnapshot(await publishVersion(tx, version, { author: caller.user, name, description }));
    });
  }

  @OperationHandler(getSnapshot)
  async get({ params }: Input<typeof getSnapshot>, context: Context): Promise<Result<typeof getSnapshot>> {
    const { id } = await findWorkflow(this.database.client, params.id, context);
    return toSnapshot(await findSnapshot(this.database.client, params.snapshotId, { workflowId: id }));
  }

  @OperationHandler(updateSnapshot)
  async update(
    { params, body }: Input<typeof updateSnapshot>,
    context: Context,
  ): Promise<Result<typeof updateSnapshot>> {
    return this.database.transaction(async (tx) => {
      const workflow = await findWorkflow(tx, params.id, context);
      await lockWorkflow(tx, workflow.id);
      const {
        id,
        versionId,
        name: currentName,
      } = await findSnapshot(tx, params.snapshotId, { workflowId: workflow.id });
      const { name, description } = body;
      const renamed = name !== undefined && name !== currentName;
      if (renamed) await refuseUsedName(tx, versionId, name);
      const data = { ...omitUndefined({ name, description }), ...(renamed && { uniqueName: name }) };
      return toSnapshot(
        await orNotFound(`Snapshot ${id}`, tx.snapshot.update({ where: { id }, data, include: withOrigin })),
      );
    });
  }

  @OperationHandler(deleteSnapshot)
  async delete({ params }: Input<typeof deleteSnapshot>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const workflow = await findWorkflow(tx, params.id, context);
      await lockWorkflow(tx, workflow.id);
      const { id, versionId } = await findSnapshot(tx, params.snapshotId, { workflowId: workflow.id });
      await tx.snapshot.delete({ where: { id } });
      await markPublished(tx, workflow.id, versionId);
      return null;
    });
  }

  @OperationHandler(restoreSnapshot)
  async restore(
    { params, body }: Input<typeof restoreSnapshot>,
    context: Context,
  ): Promise<Result<typeof restoreSnapshot>> {
    const { client } = this.database;
    const workflow = await findWorkflow(client, params.id, context);
    const { versionId } = await findSnapshot(client, params.snapshotId, { workflowId: workflow.id });
    const version = await findVersion(client, workflow, versionId);
    const expected = body.expected_version_id;
    await this.storedValues.refuseUnreadable(JSON.parse(version.data), context, 'params.snapshotId');
    const { spaceId } = workflow;
    const options = { caller: context.caller, expected, spaceId, field: 'params.snapshotId' };
    return resaveVersion(this.database, version, options);
  }
}
