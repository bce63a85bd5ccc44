import type { Point } from '../../../graph/model/graph.js';
import type { Document, InputRecord, NodeRecord } from '../document/document.js';

const isPoint = (value: unknown): value is Point =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as Partial<Point>).x) &&
  Number.isFinite((value as Partial<Point>).y);

/** Where a node is on the canvas, if it was ever placed. */
export function coordinatesOf(document: Document, id: string): Point | undefined {
  const stored = document.nodes[id]?.meta?.['coordinates'] ?? document.primitiveNodes[id]?.['coordinates'];
  return isPoint(stored) ? stored : undefined;
}

export const placeNode = (node: NodeRecord, at: Point): NodeRecord => ({
  ...node,
  meta: { ...node.meta, coordinates: { x: Math.round(at.x), y: Math.round(at.y) } },
});

export const placeInput = (input: InputRecord, at: Point): InputRecord => ({
  ...input,
  coordinates: { x: Math.round(at.x), y: Math.round(at.y) },
});
