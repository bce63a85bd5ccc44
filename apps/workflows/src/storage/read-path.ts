import { ValidationError } from '@millrace/contracts/kit/api-error';
import { InvalidPathError, normalizePath } from '@millrace/storage/normalize-path';

/**
 * Normalizes a path of a request to the form in which paths are stored. @throws ValidationError that names the field
 */
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

/** The folder that contains the path; empty at the top level. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The path and all folders above it, topmost first; none for the empty path. */
export function listPathPrefixes(path: string): string[] {
  const parts = path === '' ? [] : path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
