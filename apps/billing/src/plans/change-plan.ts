import { planChanged } from '@millrace/contracts/billing/plans';
import { ForbiddenError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { ClientFields } from '@millrace/messaging/rpc/client-fields';
import type { Transaction } from '@millrace/persistence/database';
import type { Customer } from '@millrace/persistence/generated/client';
import { updateRestrictions } from '../restrictions/update-restrictions.js';
import { publishPlanLimits } from './publish-plan-limits.js';

export interface PlanRequest {
  plan: string;
  /** The user who requests the plan, and their client. */
  user: string;
  client?: ClientFields;
}

/**
 * Changes a customer's plan. Usage of the current month counts against the new plan.
 * @param customer locked
 * @throws ValidationError if the plan does not exist; ForbiddenError if it is not open to choose
 */
export async function changePlan(
  tx: Transaction,
  { vaultId, plan: former, planNumber }: Pick<Customer, 'vaultId' | 'plan' | 'planNumber'>,
  { plan, user, client }: PlanRequest,
  month: string,
): Promise<void> {
  // An operator may have changed the credits of the plan.
  if (plan === former) return updateRestrictions(tx, [vaultId], month);
  const requested = await tx.plan.findUnique({ where: { name: plan } });
  if (!requested) {
    throw new ValidationError({ 'body.plan': `must be the id of a plan (got ${JSON.stringify(plan.slice(0, 60))})` });
  }
  if (!requested.open) {
    throw new ForbiddenError(`The plan "${plan}" cannot be chosen. Ask the operator of this installation.`);
  }
  const [number, { roles }] = [planNumber + 1, requested];
  await tx.customer.update({ where: { vaultId }, data: { plan, planNumber: number, rolesPublished: roles } });
  await tx.planChange.create({ data: { vaultId, number, plan, former, userId: user } });
  tx.emit(planChanged, {
    vault: vaultId,
    number,
    plan,
    roles,
    former,
    user,
    ...client,
  });
  await publishPlanLimits(tx, [vaultId]);
  await updateRestrictions(tx, [vaultId], month);
}
