import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';

/** Why a version's data, as JSON, is too long; null if it is short enough. */
export function findSizeProblem(json: string): string | null {
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_VERSION_DATA_BYTES) return null;
  return `is ${bytes} bytes long as JSON; at most ${MAX_VERSION_DATA_BYTES} bytes are allowed`;
}
