import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Database } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { inspectData, type InspectedWorkflow } from '../../validation/inspect-data.js';
import { refuseBrokenData } from '../../validation/refuse-broken-data.js';
import { findDeletedModules } from './find-deleted-modules.js';

/**
 * Checks a version whose data is to be saved once more: since it was saved, a module of it may have come to contain the
 * workflow itself. One that has gone may stay.
 * @param workflow that it is to be a version of; its `latestVersionId` is the version whose modules may stay
 * @param place in the request, of what leads to the version
 * @throws ValidationError that lists all problems as `errors`
 */
export async function recheckVersion(
  client: Database['client'],
  version: Pick<Version, 'data' | 'modules'>,
  workflow: InspectedWorkflow,
  caller: Caller,
  place: string,
): Promise<void> {
  const data: unknown = JSON.parse(version.data);
  const inspection = { stored: true, warnings: false };
  const { errors, former } = await inspectData(client, data, workflow, caller, inspection);
  const gone = await findDeletedModules(client, version.modules);
  try {
    refuseBrokenData(data, errors, [...former, ...gone]);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const broken = error.details?.['errors'];
    throw new ValidationError({ [place]: errors[0]?.message ?? error.message, errors: broken }, error.message);
  }
}
