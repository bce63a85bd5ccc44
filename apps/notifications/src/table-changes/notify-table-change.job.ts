import { Injectable } from '@nestjs/common';
import { matchChanges, tableChanged } from '@millrace/contracts/datasets/table-changes';
import type { Payload } from '@millrace/contracts/kit/event';
import { notifyTableChange } from '@millrace/contracts/notifications/table-changes';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { TableFollow } from '@millrace/persistence/generated/client';
import { findContacts, type Contact } from '../recipients/find-contacts.js';
import { notifyUsers } from '../recipients/notify-users.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';
import { describeTableChange, isOfInterest, toNotification } from './describe-table-change.js';
import { findSubscriptions, viewOf, type Match, type Subscriptions, type TableChange } from './find-subscriptions.js';

/** A query of a view takes up to ten seconds, and may wait for others. */
const CALL_OPTIONS = { timeoutMs: 25_000, retryForMs: 10_000 };

/**
 * Notifies followers and webhooks of a change, each at most once: the transaction that adds their notifications deletes the
 * pending change.
 */
@Injectable()
export class NotifyTableChangeJob {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly webhooks: WebhookPublisher,
  ) {}

  @JobProcessor(notifyTableChange)
  async notify({ id }: Payload<typeof notifyTableChange>): Promise<void> {
    const pending = await this.database.client.pendingTableChange.findUnique({ where: { id } });
    if (!pending) return;
    const change = tableChanged.payload.parse(pending.change);
    const subscriptions = (await findSubscriptions(this.database.client, [change]))(change);
    const contacts = await this.findPeople(change, subscriptions);
    const matches = await this.match(change, subscriptions);
    const mayQuery = (user: string) => canQuery(contacts.get(user), change.space, isPublic(matches));
    const revoked = subscriptions.follows.filter(({ userId }) => !mayQuery(userId));
    const followers = subscriptions.follows.filter(({ userId }) => mayQuery(userId));
    const authors = new Set(subscriptions.webhooks.map(({ author }) => author).filter(mayQuery));
    const found = [...matches].filter(([, match]) => isOfInterest(match));
    await this.database.transaction(async (tx) => {
      if ((await tx.pendingTableChange.deleteMany({ where: { id } })).count === 0) return;
      await this.webhooks.publish(
        tx,
        found.map(([view, match]) => ({ ...describeTableChange(change, match), view, authors })),
      );
      for (const { targetId, userId } of revoked) await tx.tableFollow.deleteMany({ where: { targetId, userId } });
      await notifyUsers(
        tx,
        found.flatMap(([view, match]) => toNotifications(change, match, followersOf(followers, view))),
      );
    });
  }

  private findPeople({ vault }: TableChange, { webhooks, follows }: Subscriptions): Promise<Map<string, Contact>> {
    const users = [...webhooks.map(({ author }) => author), ...follows.map(({ userId }) => userId)];
    return findContacts(this.rpc, vault, new Set(users));
  }

  /** @returns the rows of interest by view, null for the whole table; without views and tables that were deleted since */
  private async match(change: TableChange, { webhooks, follows }: Subscriptions): Promise<Map<string | null, Match>> {
    const { vault, dataset, generation } = change;
    const matches = new Map<string | null, Match>();
    for (const view of new Set([...webhooks.map(({ viewId }) => viewId), ...follows.map(viewOf)])) {
      const body = { vault, dataset, generation, view };
      const match = await this.rpc.call(matchChanges, body, { caller: null }, CALL_OPTIONS);
      if (match.table) matches.set(view, match);
    }
    return matches;
  }
}

const isPublic = (matches: ReadonlyMap<unknown, Match>): boolean =>
  [...matches.values()].some(({ table }) => table?.public === true);

/** Every role in a space allows queries. */
const canQuery = (contact: Contact | undefined, space: string, isPublicTable: boolean): boolean =>
  contact !== undefined && (isPublicTable || contact.spaces === 'all' || Object.hasOwn(contact.spaces, space));

const followersOf = (follows: readonly TableFollow[], view: string | null): TableFollow[] =>
  follows.filter((follow) => viewOf(follow) === view);

const toNotifications = (change: TableChange, match: Match, follows: readonly TableFollow[]) =>
  follows.map(({ userId: user, email, inApp }) => ({
    ...toNotification(change, match),
    ...{ vault: change.vault, user, channels: { email, in_app: inApp } },
  }));
