import { Injectable } from '@nestjs/common';
import { planChanged } from '@millrace/contracts/billing/plans';
import type { Payload } from '@millrace/contracts/kit/event';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { noteAudit } from './audit/note-audit.js';

/** Which plan a vault is on is billing's; roles hang on it, so it is kept here as well. */
@Injectable()
export class PlanChangedListener {
  @Listens(planChanged)
  async follow(changes: Payload<typeof planChanged>[], tx: Transaction): Promise<void> {
    await tx.$executeRaw`
      WITH latest AS (
        SELECT DISTINCT ON (vault) vault, number, plan
        FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c(vault uuid, number int, plan text)
        ORDER BY vault, number DESC),
      held AS (SELECT id FROM auth.vault WHERE id IN (SELECT vault FROM latest) ORDER BY id FOR UPDATE)
      UPDATE auth.vault v SET plan = l.plan, plan_number = l.number
      FROM latest l, held WHERE held.id = v.id AND l.vault = v.id AND v.plan_number < l.number`;
    for (const { vault, user, plan, former, address } of changes) {
      await noteAudit(tx, {
        vault,
        actor: user,
        action: 'plan.changed',
        target: { type: 'vault', id: vault },
        details: { from: former, to: plan },
        ...(address !== undefined && { address }),
      });
    }
  }
}
