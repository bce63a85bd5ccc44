import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Run } from '@millrace/persistence/generated/client';
import { ObjectMissingError } from '@millrace/storage/object-store';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import type { PlanStore } from '../engine/plans/plan-store.js';

/**
 * Loads the plan of a run that a user reads. The run may be deleted in the meantime, and its plan with it.
 * @throws NotFoundError
 */
export async function loadPlan(plans: PlanStore, { id, plan }: Pick<Run, 'id' | 'plan'>): Promise<PlanIndex> {
  try {
    return await plans.load(plan);
  } catch (error) {
    throw error instanceof ObjectMissingError ? new NotFoundError(`Run ${id}`) : error;
  }
}
