/** How far the control points of an edge's curve are from its ends. Backward edges bow out. */
export const curveOffset = (dx: number): number => (dx >= 0 ? Math.max(dx / 2, 12) : 24 + 6 * Math.sqrt(-dx));

/** The path of an edge from the right side of a node to the left side of another. */
export function curvePath(x1: number, y1: number, x2: number, y2: number): string {
  const offset = curveOffset(x2 - x1);
  return `M${x1},${y1}C${x1 + offset},${y1} ${x2 - offset},${y2} ${x2},${y2}`;
}
