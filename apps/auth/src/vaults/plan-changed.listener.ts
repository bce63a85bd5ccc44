import { Injectable } from '@nestjs/common';
import { planRolesChanged, planChanged } from '@millrace/contracts/billing/plans';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { byEvent, noteAudit } from '../audit/write-audit-entry.js';

/** Which plan a vault is on is billing's; roles hang on it, so it is kept here as well. */
@Injectable()
export class PlanChangedListener {
  @EventHandler(planChanged)
  async follow(changes: Payload<typeof planChanged>[], tx: Transaction): Promise<void> {
    await notePlans(tx, changes);
    for (const told of changes) {
      const { vault, plan, former } = told;
      await noteAudit(tx, {
        ...byEvent(told),
        action: 'plan.changed',
        target: { type: 'vault', id: vault },
        details: { from: former, to: plan },
      });
    }
  }

  @EventHandler(planRolesChanged)
  amend(told: Payload<typeof planRolesChanged>[], tx: Transaction): Promise<void> {
    return notePlans(tx, told);
  }
}

interface ToldPlan {
  vault: string;
  number: number;
  plan: string;
  roles?: boolean | undefined;
}

/** Keeps the latest of what was told of each vault, in whatever order it is heard. */
async function notePlans(tx: Transaction, told: ToldPlan[]): Promise<void> {
  await tx.$executeRaw`
    WITH latest AS (
      SELECT DISTINCT ON (vault) vault, number, plan, coalesce(roles, plan = 'enterprise') AS roles
      FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb) AS c(vault uuid, number int, plan text, roles boolean)
      ORDER BY vault, number DESC),
    held AS (SELECT id FROM auth.vault WHERE id IN (SELECT vault FROM latest) ORDER BY id FOR UPDATE)
    UPDATE auth.vault v SET plan = l.plan, plan_roles = l.roles, plan_number = l.number
    FROM latest l, held WHERE held.id = v.id AND l.vault = v.id AND v.plan_number < l.number`;
}
