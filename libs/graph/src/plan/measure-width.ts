import { type Segment } from './plan.js';

/**
 * How many segments can run at once at most, null where a scope makes it unbounded. The segments are laid into chains,
 * one after the other; by Dilworth's theorem no more can run at once than there are chains. Laying them greedily may
 * take a chain too many, which costs nothing: only what is ready runs.
 */
export function countWidest(segments: Segment[]): number | null {
  if (segments.some((segment) => segment.scope !== null)) return null;
  const followed = new Set<number>();
  let chains = 0;
  for (const segment of segments) {
    const before = segment.needs.find((need) => !followed.has(need.segment));
    if (before === undefined) chains += 1;
    else followed.add(before.segment);
  }
  return chains;
}
