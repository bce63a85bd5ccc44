import { findSegment, type RowIndex, segmentAt } from './row-index.js';

/** The first request delays what the user sees, so it has only the rows of the window and those that the grid draws below them. */
const EXTRA_FIRST_ROWS = 8;
/** Rows of a request that fills the grid. */
export const PAGE_SIZE = 200;
/** Rows of a request that only gets past rows, which has no values. It is the maximum of the API. */
const PASS_SIZE = 1_000;
/** Rows beside the visible ones that are read in advance. */
const MARGIN = 60;
/** From this distance on, a jump costs less than reading everything before. */
const JUMP_DISTANCE = 3 * PASS_SIZE;

export interface RowRange {
  first: number;
  /** Inclusive. */
  last: number;
}

/** The next request: read a page, get past rows without their values, or find a row far away. */
export type Step =
  | { kind: 'read'; segment: number; size: number }
  | { kind: 'pass'; segment: number; size: number }
  | { kind: 'jump'; target: number };

/** What to request next so that the visible rows, and then their neighbours, are there. Undefined if all are. */
export function chooseStep(index: RowIndex<unknown>, { first, last }: RowRange, canJump: boolean): Step | undefined {
  return (
    chooseWithin(index, first, last, canJump) ??
    chooseWithin(index, last, last + MARGIN, false) ??
    chooseWithin(index, Math.max(0, first - MARGIN), first, canJump)
  );
}

function chooseWithin(index: RowIndex<unknown>, first: number, last: number, canJump: boolean): Step | undefined {
  for (let segment = findSegment(index, first); segment < index.length; segment += 1) {
    const { start, size, rows } = segmentAt(index, segment);
    if (start > last) return undefined;
    const isBefore = size !== undefined && start + size <= first;
    if (!rows && !isBefore && size !== 0)
      return stepInto({ segment, start, size, row: Math.max(first, start), last, canJump });
  }
  return undefined;
}

interface Place {
  segment: number;
  start: number;
  size: number | undefined;
  /** The first row to read. */
  row: number;
  last: number;
  canJump: boolean;
}

function stepInto({ segment, start, size, row, last, canJump }: Place): Step {
  const distance = row - start;
  if (canJump && distance > JUMP_DISTANCE) return { kind: 'jump', target: row - MARGIN };
  if (distance > PAGE_SIZE) return { kind: 'pass', segment, size: Math.min(PASS_SIZE, distance - MARGIN) };
  const page = start === 0 ? Math.min(PAGE_SIZE, last + 1 + EXTRA_FIRST_ROWS) : PAGE_SIZE;
  return { kind: 'read', segment, size: Math.min(page, size ?? page) };
}
