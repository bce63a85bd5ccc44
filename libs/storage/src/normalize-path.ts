export const MAX_PATH_LENGTH = 1024;
/** Maximum length of one part of a path: that of a file name on ext4, XFS and APFS. */
export const MAX_NAME_BYTES = 255;

/** Soft hyphen, Mongolian vowel separator, zero-width space, word joiner and invisible operators, BOM, tag characters. */
const INVISIBLE_CHARACTERS = /[\u00AD\u180E\u200B\u2060-\u2065\u206A-\u206F\uFEFF\u{E0000}-\u{E007F}]/u;

export class InvalidPathError extends Error {
  override name = 'InvalidPathError';
}

/**
 * Validates and normalizes a relative path from a user. An accepted path can be created below `in/` of a step
 * unmodified and stays exactly there. It never names a file on the disks of the platform.
 *
 * Rejected: `..`, `.`, empty parts, a slash at either end; control characters (including NUL and line breaks, which
 * break lists of names, and escape sequences, which change terminals); characters that change the text direction
 * (`gpj.exe` shown as `exe.jpg`; Unicode TR 36, 3.4.1); invisible characters, which make different names look alike;
 * lone surrogates and U+FFFD, which replaces invalid bytes; more than 1,024 UTF-16 units; names over 255 bytes.
 *
 * Preserved: case, so names that differ by case are two files (like the case-preserved profile of RFC 8265);
 * look-alikes, which only a list of confusables could detect; backslashes, `%2e%2e`, and spaces and dots at the end of
 * a name, which have no meaning in POSIX; the joiners U+200C and U+200D, which Persian, Indian scripts and emoji need.
 * The flags of England, Scotland and Wales are rejected with the tag characters.
 *
 * Paths are composed (NFC), so a name typed on macOS finds the file stored from Linux.
 * @throws InvalidPathError with a reason for users
 */
export function normalizePath(input: string): string {
  const path = input.normalize('NFC');
  const reason = findProblem(path);
  if (reason !== null) throw new InvalidPathError(reason);
  return path;
}

function findProblem(path: string): string | null {
  if (path.length === 0) return 'must not be empty';
  if (path.length > MAX_PATH_LENGTH) return `must be at most ${MAX_PATH_LENGTH} characters long`;
  if (path.includes('\0')) return 'must not contain NUL';
  if (/\p{Surrogate}/u.test(path)) return 'must be well-formed Unicode';
  if (path.includes('\uFFFD')) return 'must be UTF-8';
  if (/[\p{Control}\u2028\u2029]/u.test(path)) return 'must not contain control characters';
  if (/\p{Bidi_Control}/u.test(path)) return 'must not contain characters that change the text direction';
  if (INVISIBLE_CHARACTERS.test(path)) return 'must not contain invisible characters';
  if (path.startsWith('/')) return 'must be relative';
  const segments = path.split('/');
  if (segments.includes('')) return 'must not contain empty segments';
  if (segments.includes('..') || segments.includes('.')) return 'must not contain "." or ".."';
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES))
    return `must not contain names longer than ${MAX_NAME_BYTES} bytes`;
  return null;
}
