import { z } from 'zod';
import { onlyServices, publicAccess } from '../kit/access.js';
import { SECRET, text } from '../kit/fields.js';
import { internalOperation, operation } from '../kit/operation.js';
import { fleetName, labels, stepSize } from '../runs/report.js';

/** Id of a joined worker. It is the first part of the worker id of each of its starts. */
export const joinedWorkerId = z.string().regex(/^j-[0-9a-f]{16}$/, 'must be "j-" and 16 hexadecimal digits');

/** Path of the WebSocket with which a joined worker reaches NATS, below the address of the installation. */
export const WORKER_LINK_PATH = '/api/workers/link';

/** The joined worker to which the id of a worker belongs; null if it shares the secrets of the installation. */
export const joinedWorkerOf = (worker: string): string | null => /^(j-[0-9a-f]{16})(?:-|$)/.exec(worker)?.[1] ?? null;

const key = z.string().min(1).max(512);
const sizes = z.array(stepSize).min(1);

export const joinAsWorker = operation('auth.joinedWorkers.join', {
  method: 'POST',
  path: '/workers/join',
  summary: 'Join as a worker with a join token',
  description:
    'Exchanges the token for credentials of the worker. `millrace-worker join` calls it, and stores the response. Fleet, labels ' +
    'and sizes must be among those of the token; without them, the worker gets all that the token allows.',
  access: publicAccess,
  body: z.strictObject({
    token: key.describe('The join token').meta(SECRET),
    name: text(255, 1).describe('Name of the machine, for the list of joined workers'),
    fleet: fleetName.optional().describe('Fleet of the worker: that of the token'),
    labels: labels.optional().describe('Labels of the worker; all of the token by default'),
    sizes: sizes.optional().describe('Sizes of steps that the worker runs; all of the token by default'),
  }),
  response: z
    .object({
      id: joinedWorkerId,
      worker_key: z.string().describe('Password for the connection to the gateway; the user is the id'),
      fleet: z.string(),
      labels,
      sizes,
      redis_url: z.string().describe('Address of Redis'),
      redis_user: z.string(),
      redis_password: z.string(),
      storage_url: z.string().describe('Location of the objects'),
      storage_access_key: z.string().optional().describe('Absent if the machine itself has access to the objects'),
      storage_secret_key: z.string().optional(),
      redis_ca: z.string().optional().describe('Certificates in PEM format of the authorities that sign that of Redis'),
    })
    .meta({ id: 'WorkerCredentials' }),
  status: 201,
  errors: ['unauthenticated', 'token_expired', 'forbidden', 'rate_limited', 'unavailable'],
  secret: true,
  sealed: true,
});

/** What a joined worker may do in the name of the installation. */
export const workerGrant = z.object({ id: joinedWorkerId, fleet: z.string(), labels, sizes });
export type WorkerGrant = z.infer<typeof workerGrant>;

/** Called for each connection of a joined worker. */
export const checkWorkerKey = internalOperation('auth.joinedWorkers.check', {
  summary: 'Check the key of a joined worker',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({ id: joinedWorkerId, key: z.string().max(512) }),
  response: z.object({ grant: workerGrant.nullable().describe('Null if the key is not valid') }),
});

/** Called regularly, for connections whose end a gateway may have missed. */
export const findRevokedWorkers = internalOperation('auth.joinedWorkers.findRevoked', {
  summary: 'Find the joined workers of a list that no longer exist',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({ workers: z.array(joinedWorkerId).max(10_000) }),
  response: z.object({ revoked: z.array(z.string()) }),
});
