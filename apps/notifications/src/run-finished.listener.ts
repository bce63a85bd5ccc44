import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished } from '@millrace/contracts/runs/runs';
import { Asker } from '@millrace/messaging/asker';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { describeRunEnd } from './describe-run-end.js';
import { findFollowers } from './follows/find-followers.js';
import { tellUsers, type News } from './tell-users.js';
import { describeRun } from './webhooks/describe-run.js';
import { WebhookOrders } from './webhooks/webhook-orders.js';

type RunEnd = Payload<typeof runFinished>;

/** Who started a run is told how it ended, and whoever follows its workflow; to others it is no news. */
@Injectable()
export class RunFinishedListener {
  constructor(
    private readonly asker: Asker,
    private readonly webhooks: WebhookOrders,
  ) {}

  @Listens(runFinished)
  async notify(runs: RunEnd[], tx: Transaction): Promise<void> {
    const told = runs.filter((run) => describeRunEnd(run) !== null);
    const followers = await findFollowers(tx, this.asker, told);
    await this.webhooks.tell(tx, runs.flatMap(describeRun));
    await tellUsers(tx, [
      ...told.flatMap((run) => address(run, run.author, describeRunEnd(run))),
      ...followers.flatMap(({ run, user, author }) => address(run, user, describeRunEnd(run, author))),
    ]);
  }
}

const address = (run: RunEnd, user: string, said: ReturnType<typeof describeRunEnd>): News[] =>
  said ? [{ vault: run.vault, user, page: `/runs/${run.run}`, ...said }] : [];
