import { insertDeadLetter } from '../../../../e2e/support/insert-dead-letter.js';
import { insertFleet, insertWorker } from '../../../../e2e/support/insert-worker.js';
import { grantAdmin } from '../../../../e2e/support/make-admin.js';
import type { Account } from './test.js';

/** What `seedInstallation` creates, as ids. */
export interface SeededInstallation {
  /** The vault of the administrator. */
  vault: string;
  /** A worker that sends no heartbeats and still counts as connected. */
  worker: string;
}

/** Makes an account an administrator of the installation, with something on each of the pages. */
export async function seedInstallation(account: Account): Promise<SeededInstallation> {
  await grantAdmin(account);
  const { client } = account;
  const worker = await insertWorker('1 hour');
  await insertFleet();
  await insertDeadLetter();
  await client.joinTokens.create({ name: 'gpu machines', fleet: 'gpu', labels: { gpu: 'true' } });
  await client.logLevel.set({ service: 'billing', level: 'debug', minutes: 1 });
  const { vault } = await client.users.me();
  await client.adminVaults.setLimits(vault, {
    ...{ active_runs: 50, dispatches: null, storage_bytes: 50_000_000_000, live_rows: null },
  });
  return { vault, worker };
}

/** The paths of the pages for administrators, by a name for their picture. */
export const INSTALLATION_PAGES: Record<string, string> = {
  'installation-health': '/installation',
  'installation-workers': '/installation/workers',
  'installation-joined-workers': '/installation/joined-workers',
  'installation-users': '/installation/users',
  'installation-vaults': '/installation/vaults',
  'installation-dead-letters': '/installation/dead-letters',
  'installation-checks': '/installation/checks',
  'installation-audit': '/installation/audit',
  'installation-administrators': '/installation/administrators',
};
