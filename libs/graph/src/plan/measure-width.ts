import { type Segment } from './plan.js';

/**
 * Returns the greatest number of segments that can run at the same time; null if a scope makes it unbounded. Partitions
 * the segments into chains: by Dilworth's theorem, no more segments can run at once than there are chains. The greedy
 * partition may have a chain too many, which is harmless because only ready segments run.
 */
export function measureWidth(segments: Segment[]): number | null {
  if (segments.some((segment) => segment.scope !== null)) return null;
  const continued = new Set<number>();
  let chains = 0;
  for (const segment of segments) {
    const predecessor = segment.needs.find((need) => !continued.has(need.segment));
    if (predecessor === undefined) chains += 1;
    else continued.add(predecessor.segment);
  }
  return chains;
}
