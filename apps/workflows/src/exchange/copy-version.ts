import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/context';
import type { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { findSpace } from '../spaces/find-space.js';
import { checkAgain } from '../versions/check-again.js';
import { storedData } from '../versions/stored-data.js';
import { beginWorkflow } from './begin-workflow.js';

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
 * Makes a workflow that begins with a version of another one, byte for byte, or with none. Whoever copies must be able
 * to use the modules in it by themselves.
 * @throws NotFound, Forbidden for the space; ValidationError for the project, and for what cannot be saved there
 */
export async function copyVersion(
  database: Database,
  version: Version | null,
  { id = newId(), space: asked, place, ...target }: CopyTarget,
  context: Context,
): Promise<Result<typeof getWorkflow>> {
  const space = await findSpace(database.client, asked, context, 'space.edit');
  if (version) await checkAgain(database.client, version, { id, latestVersionId: null }, context.caller, place);
  const given = { ...target, id, spaceId: space.id, place: 'body.project' };
  const first = version && { ...storedData(version), name: version.name ?? undefined };
  return database.transaction((tx) => beginWorkflow(tx, given, first, context));
}
