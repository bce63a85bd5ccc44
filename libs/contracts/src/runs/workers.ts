import { z } from 'zod';
import { anyUser, instanceAdmin } from '../kit/access.js';
import { idOf, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { fleetName, labels, stepSize } from './report.js';

const sizes = z.array(stepSize).describe('Sizes of the steps that it runs (`bee_type`)');

export const worker = z
  .object({
    id: z.string().describe('New at each start of the worker'),
    host: z.string().describe('Name of its machine or container'),
    fleet: z.string(),
    labels,
    sizes,
    slots: z.number().int().describe('Dispatches that it runs at once'),
    busy: z.number().int().describe('Dispatches that it runs now'),
    memory: z.record(z.string(), z.number()).nullable().describe('Memory of a step of each size, in bytes'),
    version: z.string().nullable().describe('Version of Millrace'),
    isolated: z.boolean().nullable().describe('Whether its steps run in sandboxes or containers'),
    programs: z.array(z.string()).describe('Programs that it has, of those that workers look for'),
    state: z
      .enum(['active', 'cordoned', 'draining', 'lost'])
      .describe(
        '`cordoned`: takes no new work; `draining`: takes none, has returned what it had not begun, and is idle when `busy` is 0; ' +
          '`lost`: sends no heartbeats, and its subjobs run again',
      ),
    started_date: timestamp,
    last_seen: timestamp.describe('Time of its last heartbeat'),
  })
  .meta({ id: 'Worker' });

export const fleet = z
  .object({
    name: z.string(),
    labels: labels.describe('Labels that all of its workers have'),
    sizes,
    workers: z.number().int().describe('Connected workers'),
    slots: z.number().int().describe('Slots of the workers that take work'),
    busy: z.number().int().describe('Dispatches that its workers run now'),
    waiting: z.number().int().describe('Subjobs that are ready and wait for it; at most 10,000 are counted'),
    oldest_waiting_seconds: z.number().describe('How long the oldest of them has waited; 0 if none does'),
  })
  .meta({ id: 'Fleet' });

const params = idOf('worker');

/** Workers serve all vaults of the installation, so only its administrators see and change them. */
export const listWorkers = operation('runs.workers.list', {
  method: 'GET',
  path: '/workers',
  summary: 'List the workers',
  description: 'A worker that is lost is listed for an hour, a cordoned one for 30 days.',
  access: instanceAdmin,
  response: z.object({ results: z.array(worker) }),
});

export const getWorker = operation('runs.workers.get', {
  method: 'GET',
  path: '/workers/{id}',
  summary: 'Get a worker',
  access: instanceAdmin,
  description: 'The id is in the list of workers, and in the `worker` of a subjob.',
  params,
  response: worker,
});

export const cordonWorker = operation('runs.workers.cordon', {
  method: 'POST',
  path: '/workers/{id}/cordon',
  summary: 'Give a worker no new work',
  description:
    'What it has begun or already received continues. It stays cordoned if it loses its connection or crashes and restarts.',
  access: instanceAdmin,
  params,
  response: worker,
});

export const uncordonWorker = operation('runs.workers.uncordon', {
  method: 'POST',
  path: '/workers/{id}/uncordon',
  summary: 'Give a cordoned or drained worker work again',
  description: 'Has no effect on a worker that shuts down.',
  access: instanceAdmin,
  params,
  response: worker,
});

export const drainWorker = operation('runs.workers.drain', {
  method: 'POST',
  path: '/workers/{id}/drain',
  summary: 'Drain a worker',
  description:
    'Like cordoning; it also returns the tasks that it has not begun. When its `busy` is 0, it is idle and its process may end.',
  access: instanceAdmin,
  params,
  response: worker,
});

export const listFleets = operation('runs.fleets.list', {
  method: 'GET',
  path: '/fleets',
  summary: 'List the fleets',
  description:
    'Workers of one name are a fleet. Nodes of workflows choose one by `fleet`, `labels` and `bee_type`. A fleet without workers ' +
    'is listed for 30 days, and subjobs that need it wait for a worker.',
  access: anyUser,
  response: z.object({ results: z.array(fleet) }),
});

export const deleteFleet = operation('runs.fleets.delete', {
  method: 'DELETE',
  path: '/fleets/{name}',
  summary: 'Forget a fleet that has no workers',
  description:
    'Subjobs that wait for it go to another fleet that has what they need, or wait for a worker that has it.',
  access: instanceAdmin,
  params: z.strictObject({ name: fleetName.describe('Name of the fleet') }),
  response: z.null(),
  status: 204,
});
