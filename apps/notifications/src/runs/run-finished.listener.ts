import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished } from '@millrace/contracts/runs/runs';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { findFollowers } from '../follows/find-followers.js';
import { tellUsers, type News } from '../recipients/notify-users.js';
import { describeRun } from '../webhooks/messages/describe-run.js';
import { WebhookOrders } from '../webhooks/messages/webhook-publisher.js';
import { describeRunEnd, isStoppedByOther } from './describe-run-end.js';
import { findStoppers } from './find-stoppers.js';

type RunEnd = Payload<typeof runFinished>;

/**
 * Who started a run is told how it ended, and whoever follows its workflow; to others it is no news, nor is it to who
 * stopped it.
 */
@Injectable()
export class RunFinishedListener {
  constructor(
    private readonly rpc: RpcClient,
    private readonly webhooks: WebhookOrders,
  ) {}

  @EventHandler(runFinished)
  async notify(runs: RunEnd[], tx: Transaction): Promise<void> {
    const told = runs.filter((run) => describeRunEnd(run) !== null);
    const followers = await findFollowers(tx, this.rpc, told);
    const stoppers = await findStoppers(this.rpc, told);
    const tell = (run: RunEnd, user: string, author?: string | null): News[] => {
      if (isStoppedByOther(run) && run.stoppedBy === user) return [];
      return address(run, user, describeRunEnd(run, author, stoppers.get(run.stoppedBy ?? '')));
    };
    await this.webhooks.tell(tx, runs.flatMap(describeRun));
    await tellUsers(tx, [
      ...told.flatMap((run) => tell(run, run.author)),
      ...followers.flatMap(({ run, user, author }) => tell(run, user, author)),
    ]);
  }
}

const address = (run: RunEnd, user: string, said: ReturnType<typeof describeRunEnd>): News[] =>
  said ? [{ vault: run.vault, user, page: `/runs/${run.run}`, ...said }] : [];
