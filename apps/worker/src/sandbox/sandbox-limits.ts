import { SANDBOX_SESSION_LIMITS } from '@millrace/contracts/runs/sandbox';
import { DEFAULT_LIMITS, type Limits } from '@millrace/isolation/limits/limits';

const MIB = 1024 * 1024;

/** Of one command in a sandbox session. Beside the workspace it has room for what it prints. */
export const SANDBOX_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  fileBytes: SANDBOX_SESSION_LIMITS.fileBytes,
  diskBytes: SANDBOX_SESSION_LIMITS.bytes + 2 * SANDBOX_SESSION_LIMITS.fileBytes,
  diskEntries: SANDBOX_SESSION_LIMITS.entries + 1_000,
  temporaryBytes: 256 * MIB,
  processes: 256,
};
