import { Injectable } from '@nestjs/common';
import { planRolesChanged, planChanged } from '@millrace/contracts/billing/plans';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { actorFromEvent, writeAuditEntry } from '../audit/write-audit-entry.js';

/** Keeps a copy of each vault's plan. Billing owns it, but roles depend on it. */
@Injectable()
export class PlanChangedListener {
  @EventHandler(planChanged)
  async recordPlans(changes: Payload<typeof planChanged>[], tx: Transaction): Promise<void> {
    await storePlans(tx, changes);
    for (const change of changes) {
      const { vault, plan, former } = change;
      await writeAuditEntry(tx, {
        ...actorFromEvent(change),
        action: 'plan.changed',
        target: { type: 'vault', id: vault },
        details: { from: former, to: plan },
      });
    }
  }

  @EventHandler(planRolesChanged)
  recordRoles(changes: Payload<typeof planRolesChanged>[], tx: Transaction): Promise<void> {
    return storePlans(tx, changes);
  }
}

interface PlanOfVault {
  vault: string;
  number: number;
  plan: string;
  roles: boolean;
}

/** Stores the latest plan of each vault by its number, in any order of events. */
async function storePlans(tx: Transaction, plans: PlanOfVault[]): Promise<void> {
  await tx.$executeRaw`
    WITH latest AS (
      SELECT DISTINCT ON (vault) vault, number, plan, roles
      FROM jsonb_to_recordset(${JSON.stringify(plans)}::jsonb) AS c(vault uuid, number int, plan text, roles boolean)
      ORDER BY vault, number DESC),
    locked AS (SELECT id FROM auth.vault WHERE id IN (SELECT vault FROM latest) ORDER BY id FOR UPDATE)
    UPDATE auth.vault v SET plan = l.plan, plan_roles = l.roles, plan_number = l.number
    FROM latest l, locked WHERE locked.id = v.id AND l.vault = v.id AND v.plan_number < l.number`;
}
