import { Injectable } from '@nestjs/common';
import { memberLeft } from '@millrace/contracts/auth/members';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Forgets all that was kept for users who have left. */
@Injectable()
export class MemberLeftListener {
  @EventHandler(memberLeft)
  async forget(left: Payload<typeof memberLeft>[], tx: Transaction): Promise<void> {
    // In one order, for another copy of the service may be at the next batch.
    const sorted = left.toSorted((a, b) => (`${a.vault} ${a.user}` < `${b.vault} ${b.user}` ? -1 : 1));
    for (const one of sorted) await forgetUser(tx, one);
  }
}

/** The feed first: whoever adds a notification holds it, so that none comes after they were deleted. */
async function forgetUser(tx: Transaction, { vault, user }: Payload<typeof memberLeft>): Promise<void> {
  const where = { vaultId: vault, userId: user };
  await tx.notificationFeed.deleteMany({ where });
  await tx.notification.deleteMany({ where });
  await tx.follow.deleteMany({ where });
  await tx.notificationPreference.deleteMany({ where });
  await tx.pausedAddress.deleteMany({ where: { userId: user } });
  await tx.pendingMail.deleteMany({ where });
}
