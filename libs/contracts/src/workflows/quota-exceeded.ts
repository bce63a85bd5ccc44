import { ApiError } from '../kit/api-error.js';

/** A file would take a vault beyond what its files may take together. In bytes; an overwrite counts the difference. */
export class QuotaExceededError extends ApiError {
  constructor({ used, quota }: { used: number; quota: number }) {
    super('payload_too_large', 'The file does not fit into what is left of the storage quota', {
      used_bytes: used,
      quota_bytes: quota,
    });
  }
}
