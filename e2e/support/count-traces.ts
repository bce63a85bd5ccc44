import { join } from 'node:path';
import { notifications } from '@millrace/sdk/resources';
import type { OwnSystem } from './own-system.js';
import { queryDatabase } from './query-database.js';
import { readMailsTo } from './read-mail.js';
import type { Receiver } from './receive-webhooks.js';
import { setUp } from './set-up.js';
import type { Account } from './sign-up.js';

/** What a run that has ended leaves behind with others. */
export interface Traces {
  /** Of the ledger. */
  entries: number;
  /** That these entries are of. */
  subjobs: number;
  notifications: number;
  mails: number;
  /** Messages, however often each was sent. */
  webhooks: number;
}

export interface Witness {
  system: OwnSystem;
  account: Account;
  receiver: Receiver;
}

/** Turns on every kind of notification of the end of a run: in the application, by mail and by webhook. */
export async function enableAllNotifications({ account, receiver }: Witness): Promise<void> {
  const config = JSON.stringify({ MANUAL_RUN_COMPLETED: { email: true }, RUN_FAILED: { email: true } });
  await setUp(account, 'PUT /notification-config', { config });
  const events = ['run.completed', 'run.failed'];
  await setUp(account, 'POST /webhooks', { name: 'Runs', url: receiver.url, kind: 'standard', events });
}

/** By run, in the order of the runs. */
export async function countTraces({ system, account, receiver }: Witness, runs: string[]): Promise<Traces[]> {
  const query = { page_size: 1_000 };
  const { results } = await account.client.call(notifications.listNotifications, { query });
  const notifiedIds = results.map(({ metadata }) => Object.values(metadata));
  const mails = await readMailsTo(account.email, join(system.folder, 'mail'));
  const usage = await sumUsage(system, runs);
  return runs.map((run) => ({
    entries: usage.get(run)?.entries ?? 0,
    subjobs: usage.get(run)?.subjobs ?? 0,
    notifications: notifiedIds.filter((ids) => ids.includes(run)).length,
    mails: mails.filter(({ link }) => link?.pathname === `/runs/${run}`).length,
    webhooks: receiver.idsOf(run).length,
  }));
}

interface Usage {
  run: string;
  entries: number;
  subjobs: number;
  /** Execution units. */
  units: number;
}

/** What the ledger says of runs that it knows. */
export async function sumUsage({ database }: OwnSystem, runs: string[]): Promise<Map<string, Usage>> {
  const rows = await queryDatabase<Usage & Record<string, unknown>>(
    database,
    `SELECT run::text, count(*)::int AS entries, count(DISTINCT subjob)::int AS subjobs, sum(units)::int AS units
     FROM billing.usage_entry WHERE run = ANY ($1::bigint[]) GROUP BY run`,
    [runs],
  );
  return new Map(rows.map((row) => [row.run, row]));
}
