import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { copyPublished, getPublished, listPublished } from '@millrace/contracts/workflows/snapshots';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { DATE_COLUMNS, pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { copyVersion } from '../exchange/copying/copy-version.js';
import { StoredValuesChecker } from '../validation/stored-values-checker.js';
import { findVersion, toVersion } from '../versions/find-version.js';
import { findSnapshot, toSnapshot, withOrigin } from './find-snapshot.js';

/** The library's snapshots. Everybody in the vault may use them, so no role in the space is required. */
@Controller()
export class PublishedController {
  constructor(
    readonly database: Database,
    readonly storedValues: StoredValuesChecker,
  ) {}

  @OperationHandler(listPublished)
  async list({ query }: Input<typeof listPublished>, { caller }: Context): Promise<Result<typeof listPublished>> {
    const { space } = query;
    if (space !== undefined && !isId(space)) return { results: [], count: 0 };
    const where = {
      ...inVault(caller),
      ...(space !== undefined && { workflow: { spaceId: space } }),
      ...searchFilter(query.search, ['name', 'description']),
    };
    const { snapshot } = this.database.client;
    const [rows, count] = await Promise.all([
      snapshot.findMany({ where, include: withOrigin, ...pageArgs(query, DATE_COLUMNS) }),
      snapshot.count({ where }),
    ]);
    return { results: rows.map(toSnapshot), count };
  }

  @OperationHandler(getPublished)
  async get({ params }: Input<typeof getPublished>, { caller }: Context): Promise<Result<typeof getPublished>> {
    const snapshot = await findSnapshot(this.database.client, params.snapshotId, inVault(caller));
    return { ...toSnapshot(snapshot), data: toVersion(await this.versionOf(snapshot)).data };
  }

  @OperationHandler(copyPublished)
  async copy({ params, body }: Input<typeof copyPublished>, context: Context): Promise<Result<typeof copyPublished>> {
    const snapshot = await findSnapshot(this.database.client, params.snapshotId, inVault(context.caller));
    const { space, project, name = snapshot.name } = body;
    const { description } = snapshot;
    const version = await this.versionOf(snapshot);
    const target = { space, project, name, description, field: 'params.snapshotId' };
    return copyVersion(this, version, target, context);
  }

  private versionOf({ workflowId, versionId }: { workflowId: string; versionId: string }) {
    return findVersion(this.database.client, { id: workflowId, latestVersionId: null }, versionId);
  }
}
