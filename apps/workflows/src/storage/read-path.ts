import { ValidationError } from '@millrace/contracts/kit/api-error';
import { InvalidPathError, normalizePath } from '@millrace/storage/normalize-path';

/** A path that a client gave, in the one form in which paths are stored. @throws ValidationError that names the field */
export function readPath(path: string, field: string): string {
  try {
    return normalizePath(path);
  } catch (error) {
    if (error instanceof InvalidPathError) throw new ValidationError({ [field]: error.message });
    throw error;
  }
}

/** Last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Path of what a path lies in; empty at the top. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The path and all above it, the topmost first; none for the empty path. */
export function listPathPrefixes(path: string): string[] {
  const parts = path === '' ? [] : path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
