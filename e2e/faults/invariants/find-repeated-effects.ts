import { join } from 'node:path';
import { consumerOf } from '@millrace/contracts/kit/event';
import { events } from '@millrace/contracts/registry';
import { queryDatabase } from '../../support/query-database.js';
import { readMailsTo } from '../../support/read-mail.js';
import type { Matrix } from '../matrix/start-matrix.js';
import type { ExpectedRun, Invariant } from './invariant.js';

export const findRepeatedEffects: Invariant['find'] = async (matrix, runs) => [
  ...(await findUnhandled(matrix)),
  ...(await Promise.all(runs.filter(({ isDeleted }) => !isDeleted).map((run) => findWrongEffects(matrix, run)))).flat(),
];

/** Events that a consumer has not handled, jobs that are not enqueued, and both that have failed for good. */
async function findUnhandled({ system }: Matrix): Promise<string[]> {
  const consumers = events.flatMap((event) =>
    event.consumers.map((service) => [event.name, consumerOf(service, event)]),
  );
  const unhandled = await queryDatabase<{ id: string; name: string; consumer: string }>(
    system.database,
    `SELECT o.id::text, o.name, c.consumer FROM messaging.outbox o
     JOIN unnest($1::text[], $2::text[]) AS c(name, consumer) ON c.name = o.name
     WHERE o.kind = 'event' AND NOT EXISTS (SELECT FROM messaging.inbox i WHERE i.consumer = c.consumer AND i.event = o.id)
     LIMIT 10`,
    [consumers.map(([name]) => name), consumers.map(([, consumer]) => consumer)],
  );
  const waiting = await queryDatabase<{ id: string; name: string }>(
    system.database,
    'SELECT id::text, name FROM messaging.outbox WHERE relayed_at IS NULL LIMIT 10',
  );
  const dead = await queryDatabase<{ name: string; message: string; error: string }>(
    system.database,
    'SELECT name, message, error FROM messaging.dead_letter LIMIT 10',
  );
  return [
    ...unhandled.map(({ id, name, consumer }) => `${consumer} has not handled event ${id} (${name})`),
    ...waiting.map(({ id, name }) => `${name} ${id} is still in the outbox`),
    ...dead.map(({ name, message, error }) => `${name} ${message} has failed for good: ${error}`),
  ];
}

/** A run that completes is notified in the application, by mail and by webhook, and is loaded into the Live Table. */
async function findWrongEffects(matrix: Matrix, { id, status, ends }: ExpectedRun): Promise<string[]> {
  const expected = status === 'COMPLETED' ? ends : 0;
  const { system, account, receiver } = matrix;
  const [stored] = await queryDatabase<{
    notifications: number;
    finished: number;
    approvals: number;
    unfinishedLoads: number;
  }>(
    system.database,
    `SELECT
       (SELECT count(*)::int FROM notifications.notification WHERE metadata->>'run' = $1) AS notifications,
       (SELECT count(*)::int FROM messaging.outbox WHERE name = 'runs.approval.requested' AND payload->>'run' = $1) AS approvals,
       (SELECT count(*)::int FROM messaging.outbox WHERE name = 'runs.run.finished' AND payload->>'run' = $1) AS finished,
       (SELECT count(*)::int FROM datasets.load WHERE run_id = $1::bigint AND status <> 'COMPLETED') AS "unfinishedLoads"`,
    [id],
  );
  // A request for an approval is notified as well, but not by webhook.
  const notified = expected + (stored?.approvals ?? 0);
  const mails = await readMailsTo(account.email, join(system.folder, 'mail'));
  const counts: [string, number, number][] = [
    ['events about its end', stored?.finished ?? 0, ends],
    ['notifications', stored?.notifications ?? 0, notified],
    ['mails', mails.filter(({ link }) => link?.pathname === `/runs/${id}`).length, notified],
    ['webhook messages', receiver.messageIdsOf(id).length, expected],
    ['unfinished loads', stored?.unfinishedLoads ?? 0, 0],
  ];
  return counts.flatMap(([what, count, correct]) =>
    count === correct ? [] : [`run ${id} has ${count} ${what} instead of ${correct}`],
  );
}
