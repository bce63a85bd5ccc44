export const MAX_PATH_LENGTH = 1024;
/** Of one part of a path: what ext4, XFS and APFS take as a name. */
export const MAX_NAME_BYTES = 255;

export class InvalidPath extends Error {
  override name = 'InvalidPath';
}

/**
 * Checks a relative path that a user gave and brings it into one form. What is accepted can be brought below a step's
 * `in/` as it is and lands exactly there; on our own disks nothing is ever named by it.
 *
 * Refused: `..`, `.`, empty parts, a slash at either end, control characters (NUL and line breaks among them, which break
 * lists of names, and escape sequences, which change what a terminal shows), characters that turn the direction of the text
 * (`gpj.exe` shown as `exe.jpg`; Unicode TR 36, 3.4.1), lone surrogates, over 1,024 UTF-16 units, names over 255 bytes.
 *
 * Kept as they are: case, so that names which differ by it are two files (as RFC 8265 has it for its case-preserved
 * profile); look-alikes, which only a list of confusables could tell; backslashes, `%2e%2e`, spaces and dots at the end
 * of a name, which mean nothing to a POSIX file system. Composed differently is the same: NFC, so that a name typed on
 * macOS finds the file stored from Linux.
 * @throws InvalidPath with a reason that can be shown
 */
export function normalizePath(given: string): string {
  const path = given.normalize('NFC');
  const reason = whatIsWrong(path);
  if (reason !== null) throw new InvalidPath(reason);
  return path;
}

function whatIsWrong(path: string): string | null {
  if (path.length === 0) return 'must not be empty';
  if (path.length > MAX_PATH_LENGTH) return `must be at most ${MAX_PATH_LENGTH} characters long`;
  if (path.includes('\0')) return 'must not contain NUL';
  if (/\p{Surrogate}/u.test(path)) return 'must be well-formed Unicode';
  if (/[\p{Control}\u2028\u2029]/u.test(path)) return 'must not contain control characters';
  if (/\p{Bidi_Control}/u.test(path)) return 'must not contain characters that turn the direction of the text';
  if (path.startsWith('/')) return 'must be relative';
  const segments = path.split('/');
  if (segments.includes('')) return 'must not contain empty segments';
  if (segments.includes('..') || segments.includes('.')) return 'must not contain "." or ".."';
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES))
    return `must not contain names longer than ${MAX_NAME_BYTES} bytes`;
  return null;
}
