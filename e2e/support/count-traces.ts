import { join } from 'node:path';
import { notifications } from '@millrace/sdk/resources';
import type { OwnSystem } from './own-system.js';
import { queryDatabase } from './query-database.js';
import { readMailsTo } from './read-mail.js';
import type { Receiver } from './receive-webhooks.js';
import { setUp } from './set-up.js';
import type { Account } from './sign-up.js';

/** What a run of one's own that has ended leaves behind with others. */
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

/** Has the end of a run told in every way that there is. */
export async function tellEverywhere({ account, receiver }: Witness): Promise<void> {
  const config = JSON.stringify({ MANUAL_RUN_COMPLETED: { email: true } });
  await setUp(account, 'PUT /notification-config', { config });
  const webhook = { name: 'Told', url: receiver.url, kind: 'standard', events: ['run.completed'] };
  await setUp(account, 'POST /webhooks', webhook);
}

export async function countTraces({ system, account, receiver }: Witness, run: string): Promise<Traces> {
  const { results } = await account.client.call(notifications.listNotifications);
  const mails = await readMailsTo(account.email, join(system.folder, 'mail'));
  const { entries, subjobs } = await sumUsage(system, run);
  return {
    entries,
    subjobs,
    notifications: results.filter(({ metadata }) => Object.values(metadata).includes(run)).length,
    mails: mails.filter(({ link }) => link?.pathname === `/runs/${run}`).length,
    webhooks: receiver.idsOf(run).length,
  };
}

interface Usage {
  entries: number;
  subjobs: number;
  /** Execution units. */
  units: number;
}

/** What the ledger says of a run. */
export async function sumUsage({ database }: OwnSystem, run: string): Promise<Usage> {
  const [usage] = await queryDatabase<Usage & Record<string, number>>(
    database,
    `SELECT count(*)::int AS entries, count(DISTINCT subjob)::int AS subjobs, coalesce(sum(units), 0)::int AS units
     FROM billing.usage_entry WHERE run = $1`,
    [run],
  );
  return usage ?? { entries: 0, subjobs: 0, units: 0 };
}
