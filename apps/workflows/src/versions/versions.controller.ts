import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  diffVersions,
  getVersion,
  listVersions,
  restoreVersion,
  saveVersion,
  summarizeDiff as summarizeDiffOperation,
} from '@millrace/contracts/workflows/versions';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { StoredValuesChecker } from '../validation/stored-values-checker.js';
import { findWorkflow } from '../workflows/find-workflow.js';
import { diffData } from './diff/diff-data.js';
import { summarizeDiff } from './diff/summarize-diff.js';
import { findVersion, toVersion, toVersionSummary } from './find-version.js';
import { resaveVersion } from './saving/resave-version.js';
import { VersionSaver } from './saving/version-saver.js';

@Controller()
export class VersionsController {
  constructor(
    private readonly database: Database,
    private readonly storedValues: StoredValuesChecker,
    private readonly saver: VersionSaver,
  ) {}

  @OperationHandler(listVersions)
  async list({ params, query }: Input<typeof listVersions>, context: Context): Promise<Result<typeof listVersions>> {
    const { client } = this.database;
    const { id } = await findWorkflow(client, params.id, context);
    const where = { workflowId: id, ...searchFilter(query.search, ['name', 'description']) };
    const [rows, count] = await Promise.all([
      client.version.findMany({ where, omit: { data: true }, ...pageArgs(query, DATE_COLUMNS) }),
      client.version.count({ where }),
    ]);
    return { results: rows.map(toVersionSummary), count };
  }

  @OperationHandler(saveVersion)
  async save({ params, body }: Input<typeof saveVersion>, context: Context): Promise<Result<typeof saveVersion>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    const { expected_version_id: expected, previous_data: previous, ...rest } = body;
    const prepared = await this.saver.prepare(workflow, { ...rest, expected, previous }, context);
    const { warnings } = prepared;
    return this.saver.save(prepared, (saved) => ({ ...toVersion(saved), ...(warnings.length > 0 && { warnings }) }));
  }

  @OperationHandler(getVersion)
  async get({ params }: Input<typeof getVersion>, context: Context): Promise<Result<typeof getVersion>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    return toVersion(await findVersion(this.database.client, workflow, params.versionId));
  }

  @OperationHandler(restoreVersion)
  async restore(
    { params, body }: Input<typeof restoreVersion>,
    context: Context,
  ): Promise<Result<typeof restoreVersion>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    const version = await findVersion(this.database.client, workflow, params.versionId);
    await this.storedValues.refuseUnreadable(JSON.parse(version.data), context, 'params.versionId');
    return resaveVersion(this.database, version, {
      caller: context.caller,
      expected: body.expected_version_id,
      spaceId: workflow.spaceId,
      field: 'params.versionId',
    });
  }

  @OperationHandler(diffVersions)
  async diff({ params }: Input<typeof diffVersions>, context: Context): Promise<Result<typeof diffVersions>> {
    const { client } = this.database;
    const workflow = await findWorkflow(client, params.id, context);
    const [a, b] = await Promise.all([
      findVersion(client, workflow, params.a),
      findVersion(client, workflow, params.b),
    ]);
    return { from: a.id, to: b.id, ...diffData(toVersion(a).data, toVersion(b).data) };
  }

  @OperationHandler(summarizeDiffOperation)
  async summarize(
    { body }: Input<typeof summarizeDiffOperation>,
    context: Context,
  ): Promise<Result<typeof summarizeDiffOperation>> {
    const { client } = this.database;
    const workflow = await findWorkflow(client, body.workflow, context);
    const a = await findVersion(client, workflow, body.a);
    const b = await findVersion(client, workflow, body.b);
    return summarizeDiff(diffData(toVersion(a).data, toVersion(b).data));
  }
}
