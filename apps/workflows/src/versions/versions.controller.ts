import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  diffVersions,
  getVersion,
  listVersions,
  restoreVersion as restore,
  saveVersion as save,
} from '@millrace/contracts/workflows/versions';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { DATE_COLUMNS } from '@millrace/persistence/list-columns';
import { requireFilledInUses } from '../library/uses/fill-in-uses.js';
import { checkPublishable } from '../snapshots/check-publishable.js';
import { inspectData } from '../validation/inspect-data.js';
import { refuseBrokenData } from '../validation/refuse-broken-data.js';
import { refuseOversize } from '../validation/refuse-oversize.js';
import { StoredValuesChecker } from '../validation/stored-values-checker.js';
import { findWorkflow } from '../workflows/find-workflow.js';
import { diffData } from './diff/diff-data.js';
import { findVersion } from './find-version.js';
import { addVersion } from './saving/add-version.js';
import { checkPreviousData } from './saving/check-previous-data.js';
import { encodeData } from './saving/encode-data.js';
import { addChangedNodes } from './saving/explain-conflict.js';
import { resaveVersion } from './saving/resave-version.js';
import { toVersion, toVersionSummary } from './to-version.js';

@Controller()
export class VersionsController {
  constructor(
    private readonly database: Database,
    private readonly guard: StoredValuesChecker,
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

  /** Checks first and locks last, so that a large workflow holds up nobody. */
  @OperationHandler(save)
  async save({ params, body }: Input<typeof save>, context: Context): Promise<Result<typeof save>> {
    const { client } = this.database;
    const workflow = await findWorkflow(client, params.id, context);
    refuseOversize(body.data);
    checkPreviousData(body.previous_data);
    const data = await requireFilledInUses(client, body.data, context.caller.vault);
    const encoded = encodeData(data);
    const inspection = { stored: false, warnings: false };
    const { errors, warnings, former } = await inspectData(client, data, workflow, context.caller, inspection);
    refuseBrokenData(data, errors, former);
    await this.guard.refuseUnreadable(data, context);
    if (body.snapshot) checkPublishable(errors, 'body.snapshot');
    const { name, snapshot } = body;
    const wanted = {
      ...encoded,
      name,
      snapshot,
      author: context.caller.user,
      expected: body.expected_version_id ?? null,
    };
    const saved = this.database.transaction(async (tx) => ({
      ...toVersion(await addVersion(tx, workflow.id, wanted)),
      ...(warnings.length > 0 && { warnings }),
    }));
    return saved.catch(async (error: unknown) => {
      throw await addChangedNodes(this.database.client, error, { mine: data, base: body.previous_data });
    });
  }

  @OperationHandler(getVersion)
  async get({ params }: Input<typeof getVersion>, context: Context): Promise<Result<typeof getVersion>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    return toVersion(await findVersion(this.database.client, workflow, params.versionId));
  }

  @OperationHandler(restore)
  async restore({ params, body }: Input<typeof restore>, context: Context): Promise<Result<typeof restore>> {
    const workflow = await findWorkflow(this.database.client, params.id, context);
    const version = await findVersion(this.database.client, workflow, params.versionId);
    await this.guard.refuseUnreadable(JSON.parse(version.data), context, 'params.versionId');
    const { caller } = context;
    const expected = body.expected_version_id;
    const { spaceId } = workflow;
    return resaveVersion(this.database, version, { caller, expected, spaceId, place: 'params.versionId' });
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
}
