import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** A dispatch should keep a worker busy for about this long, so that handing it out does not cost more than it. */
const WANTED_MS = 250;
const WEIGHT = 0.2;

/** How long the steps of a segment take, and so how many of its tasks make a good dispatch. Forgotten at a restart. */
@Injectable()
export class Pace {
  /** Most tasks in a dispatch. */
  readonly most = 50;
  private readonly average = new LRUCache<string, number>({ max: 5_000 });

  note(plan: string, segment: number, ms: number): void {
    const key = `${plan} ${segment}`;
    const former = this.average.get(key);
    this.average.set(key, former === undefined ? ms : former + WEIGHT * (ms - former));
  }

  /** Whether a task takes so little that one more may wait behind it at a worker. */
  isShort(plan: string, segment: number): boolean {
    return (this.average.get(`${plan} ${segment}`) ?? Infinity) < WANTED_MS;
  }

  /** One at a time, until it is known that they are short. */
  batch(plan: string, segment: number): number {
    const average = this.average.get(`${plan} ${segment}`);
    if (average === undefined) return 1;
    return Math.max(1, Math.min(this.most, Math.floor(WANTED_MS / Math.max(average, 1))));
  }
}
