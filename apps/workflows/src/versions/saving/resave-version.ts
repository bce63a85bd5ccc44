import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import type { restoreVersion as restored } from '@millrace/contracts/workflows/versions';
import type { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { toVersion } from '../to-version.js';
import { addVersion } from './add-version.js';
import { recheckVersion } from './recheck-version.js';
import { toEncodedData } from './stored-data.js';

/**
 * Saves a former version's data once more as the latest one, under the name that it had. Whoever edits the workflow may
 * keep the modules that it named then.
 * @param spaceId space of the workflow
 * @param place in the request, of what leads to the version
 * @throws ApiError `version_conflict`; ValidationError where it could not be saved any more
 */
export async function resaveVersion(
  database: Database,
  version: Version,
  {
    caller,
    expected,
    spaceId,
    place,
  }: { caller: Caller; expected: string | undefined; spaceId: string; place: string },
): Promise<Result<typeof restored>> {
  const { id, workflowId, name } = version;
  await recheckVersion(database.client, version, { id: workflowId, latestVersionId: id, spaceId }, caller, place);
  const save = { ...toEncodedData(version), author: caller.user, name: name ?? undefined, expected: expected ?? null };
  return database.transaction(async (tx) => toVersion(await addVersion(tx, workflowId, save)));
}
