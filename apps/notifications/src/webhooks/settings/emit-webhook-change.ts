import { isDeepStrictEqual } from 'node:util';
import type { Payload } from '@millrace/contracts/kit/event';
import { webhookChanged } from '@millrace/contracts/notifications/webhooks';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Webhook } from '@millrace/persistence/generated/client';

/** Publishes a change of a webhook for the audit log. */
export function emitWebhookChange(
  tx: Transaction,
  change: Payload<typeof webhookChanged>['change'],
  { id: webhook, name }: Webhook,
  { caller, envelope }: Context,
  fields?: string[],
): void {
  const { vault, user } = caller;
  const more = { ...(fields && { fields }), ...clientFields(envelope) };
  tx.emit(webhookChanged, { change, vault, user, webhook, name, ...more });
}

/** Fields of the contract by column. */
const FIELDS = {
  ...{ name: 'name', url: 'url', events: 'events', enabled: 'enabled' },
  ...{ workflowId: 'workflow', spaceId: 'space', datasetId: 'dataset', viewId: 'view' },
} as const;

/** The names of the changed fields. A URL counts as changed if it was encrypted again. */
export const changedFields = (before: Webhook, after: Webhook): string[] =>
  (Object.keys(FIELDS) as (keyof typeof FIELDS)[])
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => FIELDS[field]);
