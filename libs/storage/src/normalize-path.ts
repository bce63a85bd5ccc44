export const MAX_PATH_LENGTH = 1024;

export class InvalidPath extends Error {
  override name = 'InvalidPath';
}

/**
 * Checks a relative path that a user gave and brings it into one form (Unicode NFC, so that a name typed on macOS finds
 * the file stored from Linux). Refuses `..`, `.`, empty segments, leading and trailing slashes, NUL, lone surrogates, more
 * than 1,024 UTF-16 units, and names that no disk takes (over 255 bytes). Throws `InvalidPath` with a reason that can be shown.
 */
export function normalizePath(path: string): string {
  const reason = whatIsWrong(path);
  if (reason !== null) throw new InvalidPath(reason);
  return path.normalize('NFC');
}

function whatIsWrong(path: string): string | null {
  if (path.length === 0) return 'must not be empty';
  if (path.length > MAX_PATH_LENGTH || path.normalize('NFC').length > MAX_PATH_LENGTH) {
    return `must be at most ${MAX_PATH_LENGTH} characters long`;
  }
  if (path.includes('\0')) return 'must not contain NUL';
  if (/\p{Surrogate}/u.test(path)) return 'must be well-formed Unicode';
  if (path.startsWith('/')) return 'must be relative';
  const segments = path.split('/');
  if (segments.includes('')) return 'must not contain empty segments';
  if (segments.includes('..') || segments.includes('.')) return 'must not contain "." or ".."';
  if (segments.some((segment) => Buffer.byteLength(segment) > 255))
    return 'must not contain names longer than 255 bytes';
  return null;
}
