import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';

/** What is wrong with the length of a version's data as JSON; null where it is short enough. */
export function findSizeProblem(json: string): string | null {
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_VERSION_DATA_BYTES) return null;
  return `is ${bytes} bytes long as JSON; at most ${MAX_VERSION_DATA_BYTES} are allowed`;
}
