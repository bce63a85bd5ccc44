import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { idOf, name, timestamp } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';
import { DEFAULT_FLEET, fleetName, labels, STEP_SIZES, stepSize } from '../../runs/report.js';

/** Thirty days, so that a forgotten token does not last for ever. */
export const MAX_JOIN_TOKEN_HOURS = 720;
export const MAX_JOIN_TOKEN_USES = 1_000;

export const joinToken = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('First characters of the token'),
    fleet: z.string(),
    labels,
    sizes: z.array(stepSize).describe('Sizes of steps that its workers may run (`bee_type`)'),
    uses: z.number().int().describe('Workers that have joined with it'),
    max_uses: z.number().int(),
    state: z.enum(['active', 'used_up', 'expired', 'revoked']),
    created_by: z.string().optional().describe('Email of the administrator; absent if the account was deleted'),
    created_date: timestamp,
    expires_date: timestamp,
  })
  .meta({ id: 'JoinToken' });

export const listJoinTokens = operation('auth.joinTokens.list', {
  method: 'GET',
  path: '/admin/join-tokens',
  summary: 'List the join tokens of the installation',
  description:
    'Without the tokens themselves. A token is listed for 30 days after it has expired. `search` looks in names and fleets.',
  access: instanceAdmin,
  query: listQuery(['created_date', 'expires_date'], { ordering: '-created_date', filters: {} }),
  response: pageOf(joinToken),
  list: 'nullable-links',
});

export const createJoinToken = operation('auth.joinTokens.create', {
  method: 'POST',
  path: '/admin/join-tokens',
  summary: 'Create a token with which workers on other machines join',
  description:
    'The token is shown once. A worker exchanges it for credentials of its own, which work until you revoke the worker; the ' +
    'end of the token does not matter to it. Requires the settings `WORKER_JOIN_REDIS_URL` and `WORKER_JOIN_STORAGE_URL`.',
  access: instanceAdmin,
  body: z.strictObject({
    name,
    fleet: fleetName.default(DEFAULT_FLEET).describe('Fleet of its workers'),
    labels: labels.default({}).describe('Labels that its workers may have, with their values'),
    sizes: z
      .array(stepSize)
      .min(1)
      .default([...STEP_SIZES])
      .describe('Sizes of steps that its workers may run (`bee_type`)'),
    max_uses: z
      .number()
      .int()
      .min(1)
      .max(MAX_JOIN_TOKEN_USES)
      .default(1)
      .describe(`Workers that may join with it, 1 to ${MAX_JOIN_TOKEN_USES}`),
    hours: z
      .number()
      .int()
      .min(1)
      .max(MAX_JOIN_TOKEN_HOURS)
      .default(24)
      .describe(`Hours until the token expires, 1 to ${MAX_JOIN_TOKEN_HOURS}`),
  }),
  response: joinToken.extend({ token: z.string().describe('The token, which is not shown again') }),
  status: 201,
  secret: true,
});

export const revokeJoinToken = operation('auth.joinTokens.revoke', {
  method: 'DELETE',
  path: '/admin/join-tokens/{id}',
  summary: 'Revoke a join token',
  description: 'No worker joins with it from then on. Workers that have joined stay; revoke them one by one.',
  access: instanceAdmin,
  params: idOf('join token'),
  response: joinToken,
});
