import type { Point } from '../model/graph.js';
import type { LayoutInput, Positions } from './layout-input.js';
import { placeByLevel } from './place-by-level.js';

/**
 * The positions of the document if all nodes have one. Otherwise a quick layout for all, which `requestLayout` improves: a mix of
 * both would place nodes over each other.
 */
export function completePositions(
  input: LayoutInput,
  known: ReadonlyMap<string, Point>,
): { positions: Positions; isComplete: boolean } {
  const isComplete = input.nodes.every(({ id }) => known.has(id));
  return isComplete
    ? { positions: Object.fromEntries(known), isComplete }
    : { positions: placeByLevel(input), isComplete };
}
