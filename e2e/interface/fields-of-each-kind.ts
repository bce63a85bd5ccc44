import type { Fields } from './row.js';

/** What the checks of this folder are tested with. */
export const FIELDS_OF_EACH_KIND: Fields = {
  id: 'string, req',
  kind: 'enum A B, req',
  size: 'number',
  count: 'integer',
  tags: 'array of string',
  none: 'string or null',
};
