import { LRUCache } from 'lru-cache';
import { PLAN_FORMATS, type Plan } from '@millrace/graph/plan/plan';
import { type ObjectStore } from '@millrace/storage/object-store';

/** A plan with 5,000 nodes, the maximum, uses about 10 MB. */
const MAX_PLANS = 50;

/** Compiled plans by the hash of their stored JSON. */
export class PlanCache {
  private readonly plans = new LRUCache<string, Plan>({ max: MAX_PLANS });

  constructor(private readonly store: ObjectStore) {}

  async get(sha256: string): Promise<Plan> {
    const cached = this.plans.get(sha256);
    if (cached) return cached;
    const plan = JSON.parse((await this.store.readAll(sha256)).toString('utf8')) as Plan;
    if (!PLAN_FORMATS.includes(plan.format))
      throw new Error(`This worker does not support plans of format ${String(plan.format)}.`);
    this.plans.set(sha256, plan);
    return plan;
  }
}
