import { join } from 'node:path';
import { notifications } from '@millrace/contracts/resources';
import { callApi } from './call-api.js';
import type { OwnSystem } from './own-system.js';
import { queryDatabase } from './query-database.js';
import { readMailsTo } from './read-mail.js';
import type { Receiver } from './receive-webhooks.js';
import type { Account } from './sign-up.js';

/** The number of records and messages in other services that a finished run has caused. */
export interface RunEffects {
  /** Ledger entries. */
  entries: number;
  /** Subjobs that the ledger entries refer to. */
  subjobs: number;
  notifications: number;
  mails: number;
  /** Webhook messages. A message that was sent repeatedly counts once. */
  webhooks: number;
}

export interface ObservedSystem {
  system: OwnSystem;
  account: Account;
  receiver: Receiver;
}

/** Turns on every kind of notification of the end of a run: in the application, by mail and by webhook. */
export async function enableAllNotifications({ account, receiver }: ObservedSystem): Promise<void> {
  const config = JSON.stringify({ MANUAL_RUN_COMPLETED: { email: true }, RUN_FAILED: { email: true } });
  await callApi(account, 'PUT /notification-config', { config });
  const events = ['run.completed', 'run.failed'];
  await callApi(account, 'POST /webhooks', { name: 'Runs', url: receiver.url, kind: 'standard', events });
}

/** Counts the effects of each run, in the order of `runs`. */
export async function countRunEffects(
  { system, account, receiver }: ObservedSystem,
  runs: string[],
): Promise<RunEffects[]> {
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
    webhooks: receiver.messageIdsOf(run).length,
  }));
}

interface Usage {
  run: string;
  entries: number;
  subjobs: number;
  /** Execution units. */
  units: number;
}

/** Sums the ledger entries of each run that has any. @returns the sums by run id */
export async function sumUsage({ database }: OwnSystem, runs: string[]): Promise<Map<string, Usage>> {
  const rows = await queryDatabase<Usage & Record<string, unknown>>(
    database,
    `SELECT run::text, count(*)::int AS entries, count(DISTINCT subjob)::int AS subjobs, sum(units)::int AS units
     FROM billing.usage_entry WHERE run = ANY ($1::bigint[]) GROUP BY run`,
    [runs],
  );
  return new Map(rows.map((row) => [row.run, row]));
}
