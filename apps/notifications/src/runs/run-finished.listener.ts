import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { runFinished } from '@millrace/contracts/runs/runs';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { findFollowers } from '../follows/find-followers.js';
import { findContacts } from '../recipients/find-contacts.js';
import { notifyUsers, type UserNotification } from '../recipients/notify-users.js';
import { describeRun } from '../webhooks/messages/describe-run.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';
import { describeRunEnd, isStoppedByOther } from './describe-run-end.js';

type RunEnd = Payload<typeof runFinished>;

/**
 * Notifies the author of a run and the followers of its workflow that the run has ended, except the user who stopped it.
 */
@Injectable()
export class RunFinishedListener {
  constructor(
    private readonly rpc: RpcClient,
    private readonly webhooks: WebhookPublisher,
  ) {}

  @EventHandler(runFinished)
  async notify(runs: RunEnd[], tx: Transaction): Promise<void> {
    const notable = runs.filter((run) => describeRunEnd(run) !== null);
    const followers = await findFollowers(tx, this.rpc, notable);
    const stoppers = await findStopperNames(this.rpc, notable);
    const notificationsFor = (run: RunEnd, user: string, author?: string | null): UserNotification[] => {
      if (isStoppedByOther(run) && run.stoppedBy === user) return [];
      return address(run, user, describeRunEnd(run, author, stoppers.get(run.stoppedBy ?? '')));
    };
    await this.webhooks.publish(tx, runs.flatMap(describeRun));
    await notifyUsers(tx, [
      ...notable.flatMap((run) => notificationsFor(run, run.author)),
      ...followers.flatMap(({ run, user, author }) => notificationsFor(run, user, author)),
    ]);
  }
}

const address = (run: RunEnd, user: string, content: ReturnType<typeof describeRunEnd>): UserNotification[] =>
  content ? [{ vault: run.vault, user, page: pagePaths.run(run.run), ...content }] : [];

/** @returns, by user id, the names of users who stopped runs of others and are still in the vault */
async function findStopperNames(rpc: RpcClient, runs: readonly RunEnd[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [vault, vaultRuns] of Map.groupBy(runs.filter(isStoppedByOther), (run) => run.vault)) {
    const contacts = await findContacts(rpc, vault, new Set(vaultRuns.map(({ stoppedBy }) => stoppedBy)));
    for (const { user, name } of contacts.values()) names.set(user, name);
  }
  return names;
}
