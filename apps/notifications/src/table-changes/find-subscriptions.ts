import type { matchChanges, tableChanged } from '@millrace/contracts/datasets/table-changes';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Transaction } from '@millrace/persistence/database';
import type { TableFollow, Webhook } from '@millrace/persistence/generated/client';

export type TableChange = Payload<typeof tableChanged>;

/** The rows of a change that a view, or the whole table, selects. */
export type Match = Result<typeof matchChanges>;

type ChangeWebhook = Pick<Webhook, 'id' | 'vaultId' | 'workflowId' | 'spaceId' | 'datasetId' | 'viewId' | 'author'>;

/** Who may have to be notified of a change, before their views are queried and their roles checked. */
export interface Subscriptions {
  webhooks: ChangeWebhook[];
  follows: TableFollow[];
}

/** Finds the subscriptions to some tables, in two queries. @returns those of one change */
export async function findSubscriptions(
  tx: Pick<Transaction, 'webhook' | 'tableFollow'>,
  changes: readonly TableChange[],
): Promise<(change: TableChange) => Subscriptions> {
  const vaults = [...new Set(changes.map(({ vault }) => vault))];
  const datasets = [...new Set(changes.map(({ dataset }) => dataset))];
  const webhooks = await tx.webhook.findMany({
    where: { vaultId: { in: vaults }, enabled: true, deletedAt: null, events: { has: 'table.changed' } },
    select: { id: true, vaultId: true, workflowId: true, spaceId: true, datasetId: true, viewId: true, author: true },
  });
  const follows = await tx.tableFollow.findMany({ where: { datasetId: { in: datasets } }, orderBy: { userId: 'asc' } });
  return (change) => ({
    webhooks: webhooks.filter((webhook) => isInScope(webhook, change)),
    follows: follows.filter(({ vaultId, datasetId }) => vaultId === change.vault && datasetId === change.dataset),
  });
}

function isInScope({ vaultId, workflowId, spaceId, datasetId }: ChangeWebhook, change: TableChange): boolean {
  const allows = (filter: string | null, value: string | undefined) => filter === null || filter === value;
  return (
    vaultId === change.vault &&
    allows(workflowId, change.workflow) &&
    allows(spaceId, change.space) &&
    allows(datasetId, change.dataset)
  );
}

/** The view that a follow is for; null if it is for the whole table. */
export const viewOf = ({ targetId, datasetId }: Pick<TableFollow, 'targetId' | 'datasetId'>): string | null =>
  targetId === datasetId ? null : targetId;
