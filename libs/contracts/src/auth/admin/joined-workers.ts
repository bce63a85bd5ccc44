import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { event } from '../../kit/event.js';
import { success, timestamp } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';
import { signal } from '../../kit/signal.js';
import { fleetName, labels, stepSize } from '../../runs/report.js';

export const joinedWorker = z
  .object({
    id: z.string().describe('First part of the id that the worker has in the list of workers'),
    name: z.string().describe('Name of its machine when it joined'),
    fleet: z.string(),
    labels,
    sizes: z.array(stepSize).describe('Sizes of steps that it may run (`bee_type`)'),
    token_name: z.string().describe('Name of the join token that it used'),
    address: z.string().optional().describe('Network address from which it joined'),
    joined_date: timestamp,
    last_connected_date: timestamp.optional().describe('When it last connected; absent if it never has'),
  })
  .meta({ id: 'JoinedWorker' });

export const listJoinedWorkers = operation('auth.joinedWorkers.list', {
  method: 'GET',
  path: '/admin/workers',
  summary: 'List the workers that have joined with a token',
  description:
    'Each has credentials of its own, whether it runs at the moment or not. Workers that share the secrets of the installation ' +
    'are only in `GET /workers`. `search` looks in names, ids and fleets.',
  access: instanceAdmin,
  query: listQuery(['joined_date', 'name'], {
    ordering: '-joined_date',
    filters: { fleet: fleetName.optional().describe('Return only workers of this fleet') },
  }),
  response: pageOf(joinedWorker),
  list: 'nullable-links',
});

export const revokeJoinedWorker = operation('auth.joinedWorkers.revoke', {
  method: 'DELETE',
  path: '/admin/workers/{id}',
  summary: 'Revoke the credentials of a joined worker',
  description:
    'Its connections are closed, and its credentials are refused, by the API, NATS and Redis. Its steps run again on other ' +
    'workers. It accepts the id of a joined worker, and any id that the worker has in `GET /workers`.',
  access: instanceAdmin,
  params: z.strictObject({ id: z.string().describe('Id of the joined worker') }),
  response: success,
});

/** Makes `runs` dispatch the work of a revoked worker again. */
export const joinedWorkerRevoked = event('auth.joinedWorkers.revoked', {
  version: 1,
  consumers: ['runs'],
  payload: z.object({ worker: z.string() }),
});

/** All copies of the gateway close the connections of a revoked worker. They also check open ones regularly. */
export const joinedWorkerDisconnected = signal('auth.joinedWorkers', {
  from: ['auth'],
  to: ['gateway'],
  payload: z.object({ worker: z.string() }),
});
