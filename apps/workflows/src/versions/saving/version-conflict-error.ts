import { ApiError } from '@millrace/contracts/kit/api-error';

/** The workflow's latest version is not the one that the author started from. */
export class VersionConflictError extends ApiError {
  /** @param sameData whether the latest version has the data that was to be saved */
  constructor(
    readonly latestVersionId: string | null,
    sameData: boolean,
  ) {
    const details = { latest_version_id: latestVersionId, same_data: sameData };
    super(
      'version_conflict',
      'Another user saved the workflow in the meantime. Load the latest version, merge your changes, and save again.',
      details,
    );
  }
}
