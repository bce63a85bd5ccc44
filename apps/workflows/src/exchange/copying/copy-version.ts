import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { findSpace } from '../../spaces/find-space.js';
import type { StoredValuesChecker } from '../../validation/stored-values-checker.js';
import { recheckVersion } from '../../versions/saving/recheck-version.js';
import { insertWorkflowWithVersion } from '../insert-workflow-with-version.js';
import { pinModules } from './pin-modules.js';

export interface CopyTarget {
  /** That the copy gets; absent is a new one. */
  id?: string;
  space: string;
  project?: string | null | undefined;
  name: string;
  description?: string | null;
  longDescription?: string | null;
  /** In the request, of what leads to the version. */
  place: string;
}

/**
 * Makes a workflow that begins with a version of another one, or with none. The data is the same byte for byte, except
 * that modules which are in another space than the copy are pinned. Whoever copies must be able to use the modules in it
 * by themselves.
 * @throws NotFoundError, ForbiddenError for the space; ValidationError for the project, and for what cannot be saved there
 */
export async function copyVersion(
  { database, guard }: { database: Database; guard: StoredValuesChecker },
  version: Version | null,
  { id = newId(), space: asked, place, ...target }: CopyTarget,
  context: Context,
): Promise<Result<typeof getWorkflow>> {
  const space = await findSpace(database.client, asked, context, 'space.edit');
  const stored = version && (await pinModules(database.client, version, space));
  const copy = { id, latestVersionId: null, spaceId: space.id };
  if (stored) await recheckVersion(database.client, stored, copy, context.caller, place);
  if (version) await guard.refuseUnreadable(JSON.parse(version.data), context, place);
  const given = { ...target, id, spaceId: space.id, projectField: 'body.project' };
  const first = stored && { ...stored, name: version.name ?? undefined };
  return database.transaction((tx) => insertWorkflowWithVersion(tx, given, first, context));
}
