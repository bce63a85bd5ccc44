import type { Point } from '../model/graph.js';

/** What a layout needs of a graph. It travels to a worker. */
export interface LayoutInput {
  nodes: readonly { id: string; height: number }[];
  edges: readonly { source: string; target: string }[];
}

/** The top left corner of each node. */
export type Positions = Record<string, Point>;

/** Between the columns and between the nodes of a column. */
export const COLUMN_GAP = 88;
export const ROW_GAP = 32;
