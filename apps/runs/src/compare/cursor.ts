import { ValidationError } from '@millrace/contracts/kit/api-error';
import { decodeParts, encodeParts } from '../lists/cursor-parts.js';

type Part = string | number;

/** Encodes the place of the last record of a page. */
export const encodeCursor: (parts: readonly Part[]) => string = encodeParts;

/**
 * Decodes a place, whose parts must have these types; null for the first page.
 * @throws ValidationError
 */
export function decodeCursor(cursor: string | undefined, types: readonly ('string' | 'number')[]): Part[] | null {
  if (cursor === undefined) return null;
  const parts = decodeParts(cursor);
  if (parts?.length === types.length && types.every((type, at) => isOfType(parts[at], type))) return parts as Part[];
  throw new ValidationError({
    'query.cursor': 'must be the `cursor` of the previous page; without it, the first page is returned',
  });
}

/** Numbers in a cursor are positions; a text with a zero byte could not be compared in Postgres. */
const isOfType = (part: unknown, type: 'string' | 'number'): boolean =>
  type === 'string'
    ? typeof part === 'string' && !part.includes('\0')
    : Number.isInteger(part) && Math.abs(part as number) < 2 ** 31;
