import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/context';
import type { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { findSpace } from '../spaces/find-space.js';
import { checkAgain } from '../versions/check-again.js';
import { saveVersion } from '../versions/save-version.js';
import { storedData } from '../versions/stored-data.js';
import { createWorkflow } from '../workflows/create-workflow.js';
import { toWorkflow, withPlace } from '../workflows/to-workflow.js';

export interface CopyTarget {
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
  { space: asked, place, ...target }: CopyTarget,
  context: Context,
): Promise<Result<typeof getWorkflow>> {
  const id = newId();
  const { caller } = context;
  const space = await findSpace(database.client, asked, context, 'space.edit');
  if (version) await checkAgain(database.client, version, { id, latestVersionId: null }, caller, place);
  return database.transaction(async (tx) => {
    await createWorkflow(tx, { ...target, id, spaceId: space.id, place: 'body.project' }, context);
    if (version) {
      const name = version.name ?? undefined;
      await saveVersion(tx, id, { ...storedData(version), author: caller.user, name, expected: null });
    }
    return toWorkflow(await tx.workflow.findUniqueOrThrow({ where: { id }, include: withPlace }));
  });
}
