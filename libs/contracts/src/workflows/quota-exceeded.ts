import { ApiError } from '../kit/api-error.js';

/** A file would exceed the storage quota of the vault. Sizes are in bytes; an overwrite counts only the difference. */
export class QuotaExceededError extends ApiError {
  constructor({ used, quota }: { used: number; quota: number }) {
    super(
      'payload_too_large',
      'The file exceeds the remaining storage quota of the vault. Delete files or ask the operator for a larger quota.',
      {
        used_bytes: used,
        quota_bytes: quota,
      },
    );
  }
}
