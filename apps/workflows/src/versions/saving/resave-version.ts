import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import type { restoreVersion as restored } from '@millrace/contracts/workflows/versions';
import type { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { toVersion } from '../find-version.js';
import { addVersion } from './add-version.js';
import { toEncodedData } from './encode-data.js';
import { recheckVersion } from './recheck-version.js';

/**
 * Saves an earlier version's data again as the latest version, under the same name. The modules that it names stay
 * permitted.
 * @param spaceId space of the workflow
 * @param field the request field that leads to the version
 * @throws ApiError `version_conflict`; ValidationError if the data can no longer be saved
 */
export async function resaveVersion(
  database: Database,
  version: Version,
  {
    caller,
    expected,
    spaceId,
    field,
  }: { caller: Caller; expected: string | undefined; spaceId: string; field: string },
): Promise<Result<typeof restored>> {
  const { id, workflowId, name } = version;
  await recheckVersion(database.client, version, { id: workflowId, latestVersionId: id, spaceId }, caller, field);
  const newVersion = {
    ...toEncodedData(version),
    author: caller.user,
    name: name ?? undefined,
    expected: expected ?? null,
  };
  return database.transaction(async (tx) => toVersion(await addVersion(tx, workflowId, newVersion)));
}
