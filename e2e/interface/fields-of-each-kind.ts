import type { Fields } from './row.js';

/** One field of each kind, for the tests of this folder's checks. */
export const FIELDS_OF_EACH_KIND: Fields = {
  id: 'string, req',
  kind: 'enum A B, req',
  size: 'number',
  count: 'integer',
  tags: 'array of string',
  none: 'string or null',
};
