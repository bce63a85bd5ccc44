import { z } from 'zod';
import { job } from '../kit/job.js';

/** Notifies the followers and webhooks of a table that a load has changed it, once for each load. */
export const notifyTableChange = job('notifications.tables.notify', {
  queue: 'notifications-tables',
  payload: z.object({ id: z.uuid() }),
  attempts: 10,
  backoffMs: 1_000,
  concurrency: 2,
});
