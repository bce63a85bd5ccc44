import { Injectable } from '@nestjs/common';
import { memberLeft } from '@millrace/contracts/auth/members';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Deletes all data of users who have left their vault. */
@Injectable()
export class MemberLeftListener {
  @EventHandler(memberLeft)
  async deleteUserData(left: Payload<typeof memberLeft>[], tx: Transaction): Promise<void> {
    // In a fixed order, because another copy of the service may process the next batch at the same time.
    const sorted = left.toSorted((a, b) => (`${a.vault} ${a.user}` < `${b.vault} ${b.user}` ? -1 : 1));
    for (const member of sorted) await deleteDataOf(tx, member);
  }
}

/** Deletes the feed first: adding a notification locks it, so that none is added after the deletion. */
async function deleteDataOf(tx: Transaction, { vault, user }: Payload<typeof memberLeft>): Promise<void> {
  const where = { vaultId: vault, userId: user };
  await tx.notificationFeed.deleteMany({ where });
  await tx.notification.deleteMany({ where });
  await tx.follow.deleteMany({ where });
  await tx.tableFollow.deleteMany({ where });
  await tx.notificationPreference.deleteMany({ where });
  await tx.pausedAddress.deleteMany({ where: { userId: user } });
  await tx.pendingMail.deleteMany({ where });
}
