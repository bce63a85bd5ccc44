import type { Row } from '../row.js';

const NAME_AND_DESCRIPTION = { name: 'string, req, 1..255', description: 'string, max 2000' };
const UPDATE = { name: 'string, 1..255', description: 'string or null, max 2000' };
const LIST = {
  results: 'array of object, req',
  count: 'integer',
  next: 'string or null',
  previous: 'string or null',
};
const SPACE = {
  id: 'string, req',
  name: 'string, req',
  description: 'string or null',
  vault_info: 'any',
  color: 'string',
  playground: 'boolean',
  author: 'string or null',
  author_info: 'any',
  projects_count: 'number',
  workflows_count: 'number',
  created_date: 'string, req',
  modified_date: 'string, req',
  '*': 'any',
};

/** The bodies and lists of spaces, projects and workflows. The document describes them, but does not list their operations. */
export const SPACES = {
  'POST /spaces': { body: { ...NAME_AND_DESCRIPTION, color: 'string', playground: 'boolean' }, response: SPACE },
  'GET /spaces/{id}': { response: SPACE },
  'PATCH /spaces/{id}': { body: { ...UPDATE, color: 'string', metadata: 'object', '*': 'any' }, response: SPACE },
  'POST /spaces/{spaceId}/projects': { body: NAME_AND_DESCRIPTION },
  'GET /spaces/{spaceId}/projects': { response: LIST },
  'PATCH /projects/{id}': { body: UPDATE },
  'POST /spaces/{spaceId}/workflows': { body: { ...NAME_AND_DESCRIPTION, project_info: 'string' } },
  'GET /workflows': { response: LIST },
} as const satisfies Record<string, Row>;
