import { type ObjectStore, ObjectMissingError } from '@millrace/storage/object-store';

const MAX_LINES = 10;
const MAX_CHARACTERS = 2_000;
/** A character has at most four bytes. */
const MAX_BYTES = 4 * MAX_CHARACTERS;

/**
 * Reads the last lines of a stored log, which the worker masked. Control characters are left out.
 * @returns null if there is no visible text, or the log is no longer stored
 */
export async function readLastLines(
  store: ObjectStore,
  { sha256, size }: { sha256: string; size: number },
): Promise<string | null> {
  if (size === 0) return null;
  const start = Math.max(0, size - MAX_BYTES);
  const bytes = await store.readAll(sha256, { start, end: size - 1 }).catch((error: unknown) => {
    if (error instanceof ObjectMissingError) return Buffer.alloc(0);
    throw error;
  });
  const text = bytes
    .toString('utf8')
    .replace(/^\ufffd+/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  const last = text.trimEnd().split('\n').slice(-MAX_LINES).join('\n').slice(-MAX_CHARACTERS).toWellFormed();
  return last.trim() === '' ? null : last;
}
