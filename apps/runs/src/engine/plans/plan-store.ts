import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Plan } from '@millrace/graph/plan/plan';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../../object-store.js';
import { PlanIndex } from './plan-index.js';

/** Stores compiled plans as objects under their hash. Workers read them there, and equal plans share one object. */
@Injectable()
export class PlanStore {
  private readonly open = new LRUCache<string, Promise<PlanIndex>>({ max: 500 });

  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  async save(plan: Plan): Promise<PlanIndex> {
    const { sha256 } = await this.store.put(Buffer.from(JSON.stringify(plan)), { durable: true });
    const index = new PlanIndex(plan, sha256);
    this.open.set(sha256, Promise.resolve(index));
    return index;
  }

  load(sha256: string): Promise<PlanIndex> {
    let index = this.open.get(sha256);
    if (!index) {
      index = this.store.readAll(sha256).then((bytes) => new PlanIndex(JSON.parse(bytes.toString()) as Plan, sha256));
      this.open.set(sha256, index);
      index.catch(() => this.open.delete(sha256));
    }
    return index;
  }
}
