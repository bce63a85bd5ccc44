import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow } from '@millrace/contracts/workflows/workflows';
import { isRecord } from '@millrace/graph/data/is-record';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Database } from '@millrace/persistence/database';
import type { Version, Space } from '@millrace/persistence/generated/client';
import { newId, isId } from '@millrace/persistence/ids';
import { findSpace } from '../../spaces/find-space.js';
import type { StoredValuesChecker } from '../../validation/stored-values-checker.js';
import { encodeData, toEncodedData, type EncodedData } from '../../versions/saving/encode-data.js';
import { recheckVersion } from '../../versions/saving/recheck-version.js';
import { insertWorkflowWithVersion } from '../../workflows/insert-workflow.js';

interface CopyTarget {
  /** Id of the copy; absent for a new id. */
  id?: string;
  space: string;
  project?: string | null | undefined;
  name: string;
  description?: string | null;
  longDescription?: string | null;
  /** The request field that leads to the version. */
  field: string;
}

/**
 * Creates a workflow from a version of another one, or without a version. The data stays the same byte for byte, except
 * that modules in other spaces than the copy's are pinned. The caller must be able to use the modules in it.
 * @throws NotFoundError, ForbiddenError for the space; ValidationError for the project, or if the data cannot be saved
 *   there
 */
export async function copyVersion(
  { database, storedValues }: { database: Database; storedValues: StoredValuesChecker },
  version: Version | null,
  { id = newId(), space: spaceId, field, ...target }: CopyTarget,
  context: Context,
): Promise<Result<typeof getWorkflow>> {
  const space = await findSpace(database.client, spaceId, context, 'space.edit');
  const stored = version && (await pinModules(database.client, version, space));
  const copy = { id, latestVersionId: null, spaceId: space.id };
  if (stored) await recheckVersion(database.client, stored, copy, context.caller, field);
  if (version) await storedValues.refuseUnreadable(JSON.parse(version.data), context, field);
  const workflow = { ...target, id, spaceId: space.id, projectField: 'body.project' };
  const first = stored && { ...stored, name: version.name ?? undefined };
  return database.transaction((tx) => insertWorkflowWithVersion(tx, workflow, first, context));
}

/**
 * The data of a version for a copy in a space. Modules that follow the latest version of a workflow in another space
 * are pinned to its current latest version. Without such modules the data stays the same, byte for byte.
 */
async function pinModules(
  client: Database['client'],
  version: Version,
  { id: space, vaultId }: Pick<Space, 'id' | 'vaultId'>,
): Promise<EncodedData> {
  const stored = toEncodedData(version);
  const rows = await client.workflow.findMany({
    where: {
      vaultId,
      id: { in: version.modules.filter(isId) },
      spaceId: { not: space },
      latestVersionId: { not: null },
    },
    select: { id: true, latestVersionId: true },
  });
  if (rows.length === 0) return stored;
  const latest = new Map(rows.map(({ id, latestVersionId }) => [id, latestVersionId]));
  const data = JSON.parse(version.data) as Record<string, unknown>;
  const nodes = isRecord(data['nodes']) ? data['nodes'] : {};
  for (const node of Object.values(nodes)) {
    if (!isRecord(node) || node['type'] !== 'WORKFLOW' || typeof node['workflow'] !== 'string') continue;
    node['workflow'] = latest.get(node['workflow'].toLowerCase()) ?? node['workflow'];
  }
  return encodeData(data);
}
