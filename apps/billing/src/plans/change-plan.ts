import { planChanged } from '@millrace/contracts/billing/plans';
import { ForbiddenError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { Customer } from '@millrace/persistence/generated/client';
import { updateRestrictions } from '../restrictions/update-restrictions.js';

export interface PlanRequest {
  plan: string;
  /** Who asks for it, and from where. */
  user: string;
  address?: string | undefined;
}

/**
 * Puts a customer on a plan. What was used in the month counts against the new plan, too.
 * @param customer locked
 * @throws ValidationError where there is no such plan; ForbiddenError where it is not open to choose
 */
export async function changePlan(
  tx: Transaction,
  { vaultId, plan: former, planNumber }: Pick<Customer, 'vaultId' | 'plan' | 'planNumber'>,
  { plan, user, address }: PlanRequest,
  month: string,
): Promise<void> {
  // What it gives may have changed since.
  if (plan === former) return updateRestrictions(tx, [vaultId], month);
  const wanted = await tx.plan.findUnique({ where: { name: plan } });
  if (!wanted) throw new ValidationError({ 'body.plan': 'is none of the plans' });
  if (!wanted.open)
    throw new ForbiddenError(`The plan "${plan}" is not open to choose; ask whoever runs this installation`);
  const [number, { roles }] = [planNumber + 1, wanted];
  await tx.customer.update({ where: { vaultId }, data: { plan, planNumber: number, rolesTold: roles } });
  await tx.planChange.create({ data: { vaultId, number, plan, former, userId: user } });
  tx.emit(planChanged, {
    vault: vaultId,
    number,
    plan,
    roles,
    former,
    user,
    ...(address !== undefined && { address }),
  });
  await updateRestrictions(tx, [vaultId], month);
}
