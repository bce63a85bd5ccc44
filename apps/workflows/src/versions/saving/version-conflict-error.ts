import { ApiError } from '@millrace/contracts/kit/api-error';

/** The workflow has another latest version than the author began with. */
export class VersionConflictError extends ApiError {
  /** @param sameData whether the latest version has the data that was to be saved */
  constructor(
    readonly latestVersionId: string | null,
    sameData: boolean,
  ) {
    const details = { latest_version_id: latestVersionId, same_data: sameData };
    super('version_conflict', 'The workflow was saved by somebody else meanwhile', details);
  }
}
