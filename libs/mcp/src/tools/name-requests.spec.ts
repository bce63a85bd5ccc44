import { expect, it } from '@jest/globals';
import { nameRequests } from './name-requests.js';

it.each([
  ['See `GET /runs/{id}/subjobs` for its nodes.', 'See `list_subjobs` for its nodes.'],
  ['as for `POST /workflows/{id}/runs`', 'as for `run_workflow`'],
  ['`PUT /workflows/{id}/schedule`', '`set_schedule`'],
  ['`GET /billing/nothing` has no tool', '`GET /billing/nothing` has no tool'],
])('%s', (text, expected) => {
  expect(nameRequests(text)).toBe(expected);
});
