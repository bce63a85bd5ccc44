import type { NotificationConfig } from '@millrace/contracts/notifications/notification-config';
import type { Transaction } from '@millrace/persistence/database';
import { DEFAULT_CONFIG } from '../preferences/default-config.js';
import { readConfig } from '../preferences/merge-config.js';

interface Recipient {
  vault: string;
  user: string;
}

/** Finds the notification preferences of the recipients, in one query. */
export async function findConfigs(
  tx: Pick<Transaction, '$queryRaw'>,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => NotificationConfig> {
  const pairs = recipients.map(({ vault, user }) => ({ vault, user }));
  const rows = await tx.$queryRaw<(Recipient & { config: unknown })[]>`
    SELECT p.vault_id::text AS vault, p.user_id::text AS "user", p.config
    FROM notifications.notification_preference p
    WHERE (p.vault_id, p.user_id) IN (
      SELECT vault, "user" FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) AS r(vault uuid, "user" uuid))`;
  const stored = new Map(rows.map(({ vault, user, config }) => [`${vault} ${user}`, readConfig(config)]));
  return ({ vault, user }) => stored.get(`${vault} ${user}`) ?? DEFAULT_CONFIG;
}
