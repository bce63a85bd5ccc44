import { ApiError } from '@millrace/contracts/kit/api-error';

/** The workflow has another latest version than the author began with. */
export class VersionConflict extends ApiError {
  constructor(readonly latest: string | null) {
    super('version_conflict', 'The workflow was saved by somebody else meanwhile', { latest_version_id: latest });
  }
}
