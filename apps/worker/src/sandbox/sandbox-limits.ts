import { SANDBOX_BOUNDS } from '@millrace/contracts/runs/sandbox';
import { DEFAULT_LIMITS, type Limits } from '@millrace/isolation/limits';

const MIB = 1024 * 1024;

/** Of one command in a sandbox session. Beside the workspace it has room for what it prints. */
export const SANDBOX_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  fileBytes: SANDBOX_BOUNDS.fileBytes,
  diskBytes: SANDBOX_BOUNDS.bytes + 2 * SANDBOX_BOUNDS.fileBytes,
  diskEntries: SANDBOX_BOUNDS.entries + 1_000,
  temporaryBytes: 256 * MIB,
  processes: 256,
};
