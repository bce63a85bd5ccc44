import type { TaskService } from '@millrace/contracts/auth/admin/admin-tasks';
import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type InvariantCheck } from './invariant-check.js';

/** What must hold for the events and jobs of every service. */
export const messagingChecks = (service: TaskService): InvariantCheck[] => [
  checkBySql(
    'Events and jobs leave the outbox within 10 minutes',
    Prisma.sql`
      SELECT id::text AS id FROM messaging.outbox
      WHERE service = ${service} AND relayed_at IS NULL AND created_at < now() - interval '10 minutes'`,
  ),
  checkBySql(
    'No event or job has failed for good',
    Prisma.sql`SELECT id::text AS id FROM messaging.dead_letter WHERE service = ${service}`,
  ),
];
