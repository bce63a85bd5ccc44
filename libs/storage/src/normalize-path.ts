export const MAX_PATH_LENGTH = 1024;
/** Of one part of a path: what ext4, XFS and APFS take as a name. */
export const MAX_NAME_BYTES = 255;

/** Soft hyphen, Mongolian vowel separator, zero-width space, word joiner and invisible operators, BOM, tag characters. */
const UNSEEN = /[\u00AD\u180E\u200B\u2060-\u2065\u206A-\u206F\uFEFF\u{E0000}-\u{E007F}]/u;

export class InvalidPathError extends Error {
  override name = 'InvalidPathError';
}

/**
 * Checks a relative path that a user gave and brings it into one form. What is accepted can be brought below a step's
 * `in/` as it is and lands exactly there; on our own disks nothing is ever named by it.
 *
 * Refused: `..`, `.`, empty parts, a slash at either end, control characters (NUL and line breaks among them, which break
 * lists of names, and escape sequences, which change what a terminal shows), characters that turn the direction of the text
 * (`gpj.exe` shown as `exe.jpg`; Unicode TR 36, 3.4.1), characters that show nothing and make two names look like one, lone
 * surrogates and U+FFFD, which stands for bytes that were no text, over 1,024 UTF-16 units, names over 255 bytes.
 *
 * Kept as they are: case, so that names which differ by it are two files (as RFC 8265 has it for its case-preserved
 * profile); look-alikes, which only a list of confusables could tell; backslashes, `%2e%2e`, spaces and dots at the end
 * of a name, which mean nothing to a POSIX file system; the joiners U+200C and U+200D, which Persian, the scripts of
 * India and emoji are spelled with. The flags of England, Scotland and Wales are lost with the tag characters.
 *
 * Composed differently is the same: NFC, so that a name typed on macOS finds the file stored from Linux.
 * @throws InvalidPathError with a reason that can be shown
 */
export function normalizePath(given: string): string {
  const path = given.normalize('NFC');
  const reason = whatIsWrong(path);
  if (reason !== null) throw new InvalidPathError(reason);
  return path;
}

function whatIsWrong(path: string): string | null {
  if (path.length === 0) return 'must not be empty';
  if (path.length > MAX_PATH_LENGTH) return `must be at most ${MAX_PATH_LENGTH} characters long`;
  if (path.includes('\0')) return 'must not contain NUL';
  if (/\p{Surrogate}/u.test(path)) return 'must be well-formed Unicode';
  if (path.includes('\uFFFD')) return 'must be UTF-8';
  if (/[\p{Control}\u2028\u2029]/u.test(path)) return 'must not contain control characters';
  if (/\p{Bidi_Control}/u.test(path)) return 'must not contain characters that turn the direction of the text';
  if (UNSEEN.test(path)) return 'must not contain characters that show nothing';
  if (path.startsWith('/')) return 'must be relative';
  const segments = path.split('/');
  if (segments.includes('')) return 'must not contain empty segments';
  if (segments.includes('..') || segments.includes('.')) return 'must not contain "." or ".."';
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES))
    return `must not contain names longer than ${MAX_NAME_BYTES} bytes`;
  return null;
}
