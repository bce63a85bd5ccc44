import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** A dispatch should take a worker about this long, so that dispatching does not cost more than the work. */
const TARGET_MS = 250;
/** Weight of the latest duration in the moving average. */
const WEIGHT = 0.2;

/** Estimates how long the steps of a segment take, and with it how many tasks make a good dispatch. Starts empty. */
@Injectable()
export class DurationEstimator {
  /** Maximum number of tasks in a dispatch. */
  readonly maxBatchSize = 50;
  private readonly averages = new LRUCache<string, number>({ max: 5_000 });

  record(plan: string, segment: number, ms: number): void {
    const key = `${plan} ${segment}`;
    const average = this.averages.get(key);
    this.averages.set(key, average === undefined ? ms : average + WEIGHT * (ms - average));
  }

  /** Whether a task takes so little time that another one may wait behind it at a worker. */
  isShort(plan: string, segment: number): boolean {
    return (this.averages.get(`${plan} ${segment}`) ?? Infinity) < TARGET_MS;
  }

  /** How many tasks to dispatch together; 1 until a duration is known. */
  batchSize(plan: string, segment: number): number {
    const average = this.averages.get(`${plan} ${segment}`);
    if (average === undefined) return 1;
    return Math.max(1, Math.min(this.maxBatchSize, Math.floor(TARGET_MS / Math.max(average, 1))));
  }
}
