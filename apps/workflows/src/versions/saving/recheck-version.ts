import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inspectData, type InspectedWorkflow } from '../../validation/inspect-data.js';
import { refuseBrokenData } from '../../validation/refuse-broken-data.js';

/**
 * Validates stored data that is about to be saved again: one of its modules may contain the workflow itself by now.
 * Modules that were deleted since are accepted.
 * @param workflow the workflow to save to; modules of its latest version are accepted
 * @param field the request field that leads to the version
 * @throws ValidationError that lists all problems as `errors`
 */
export async function recheckVersion(
  client: Database['client'],
  version: Pick<Version, 'data' | 'modules'>,
  workflow: InspectedWorkflow,
  caller: Caller,
  field: string,
): Promise<void> {
  const data: unknown = JSON.parse(version.data);
  const inspection = { stored: true, warnings: false };
  const { errors, latestModules } = await inspectData(client, data, workflow, caller, inspection);
  const deleted = await findDeletedModules(client, version.modules);
  try {
    refuseBrokenData(data, errors, [...latestModules, ...deleted]);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const broken = error.details?.['errors'];
    throw new ValidationError({ [field]: errors[0]?.message ?? error.message, errors: broken }, error.message);
  }
}

/** The modules of a stored version that no longer exist in any vault. Modules that the caller may not use are not listed. */
async function findDeletedModules(
  client: Pick<Database['client'], '$queryRaw'>,
  keys: readonly string[],
): Promise<string[]> {
  const ids = keys.filter(isId);
  if (ids.length === 0) return [];
  const deleted = await client.$queryRaw<{ at: number }[]>`
    SELECT k.at::int AS at FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS k(id, at)
    WHERE NOT EXISTS (SELECT FROM workflows.version v WHERE v.id = k.id)
      AND NOT EXISTS (SELECT FROM workflows.workflow w WHERE w.id = k.id)`;
  return deleted.flatMap(({ at }) => ids[at - 1] ?? []);
}
