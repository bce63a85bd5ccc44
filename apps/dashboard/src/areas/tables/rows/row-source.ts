import { createStore, type Store } from '../../../store/create-store.js';
import { chooseStep, type RowRange, type Step } from './choose-step.js';
import { guessRowNumber, type KnownRow } from './guess-anchor.js';
import {
  addAnchor,
  addPage,
  countKnown,
  createIndex,
  dropFarRows,
  findRow,
  isComplete,
  type ReadPoint,
  type RowIndex,
  segmentAt,
} from './row-index.js';

export type Row = Record<string, unknown>;

/** The requests of one query. */
export interface RowReader {
  q: string;
  /** Whether rows are in the order of `_row`, so that a number of a row finds its place. */
  isInRowOrder: boolean;
  readPage: (from: ReadPoint, size: number, signal: AbortSignal) => Promise<{ rows: Row[]; cursor: string | null }>;
  passRows: (from: ReadPoint, size: number, signal: AbortSignal) => Promise<{ rows: number; cursor: string | null }>;
  /** The number of the last row. */
  readLastNumber: (signal: AbortSignal) => Promise<number | undefined>;
  /** The rows with a number below `number`, exactly, and where to read from it. */
  countBefore: (number: number, signal: AbortSignal) => Promise<{ position: number; from: ReadPoint }>;
}

export interface RowsState {
  index: RowIndex<Row>;
  /** Whether the first page has arrived. */
  isReady: boolean;
  error?: unknown;
}

const MAX_ROWS_IN_MEMORY = 4_000;
/** While the scrollbar is dragged, only the place where it rests is looked up. */
const JUMP_DELAY_MS = 80;
const MAX_GUESSES = 3;
/** The next rows are requested after the first ones are painted, because both need the same processor. */
const FIRST_PAINT_MS = 60;

/** Reads the rows that come into view, one request at a time, and keeps a bounded number of them. */
export class RowSource {
  readonly state: Store<RowsState>;
  private range: RowRange = { first: 0, last: 0 };
  private total: number | undefined;
  private current: AbortController | undefined;
  private canJump: boolean;
  private readonly known: KnownRow[] = [];

  constructor(private readonly reader: RowReader) {
    this.canJump = reader.isInRowOrder;
    this.state = createStore<RowsState>({ index: createIndex(reader.q), isReady: false });
  }

  /** Number of visible rows. */
  get windowSize(): number {
    return this.range.last - this.range.first + 1;
  }

  find(row: number): Row | undefined {
    return findRow(this.state.get().index, row);
  }

  /** @param total rows of the query, as far as it is known */
  setTotal(total: number | undefined): void {
    this.total = total;
  }

  /** Reads these rows, unless they are in memory. */
  show(range: RowRange): void {
    const isFar = Math.abs(range.first - this.range.first) > 1_000;
    this.range = range;
    if (isFar) this.stop();
    void this.continue(isFar);
  }

  retry(): void {
    const { error: _error, ...state } = this.state.get();
    this.state.set(state);
    void this.continue(false);
  }

  stop(): void {
    this.current?.abort();
    this.current = undefined;
  }

  private async continue(isFar: boolean): Promise<void> {
    if (this.current || this.state.get().error !== undefined) return;
    const controller = new AbortController();
    this.current = controller;
    const { signal } = controller;
    try {
      if (isFar) await sleep(JUMP_DELAY_MS);
      for (;;) {
        const step = signal.aborted
          ? undefined
          : chooseStep(this.state.get().index, this.range, this.canJump && this.total !== undefined);
        if (!step) break;
        const isFirst = !this.state.get().isReady;
        await this.execute(step, signal);
        if (isFirst) await sleep(FIRST_PAINT_MS);
      }
    } catch (error) {
      if (!signal.aborted) this.change({ error });
    }
    if (this.current === controller) this.current = undefined;
  }

  private async execute(step: Step, signal: AbortSignal): Promise<void> {
    if (step.kind === 'jump') return this.jump(step.target, signal);
    const { index } = this.state.get();
    const { start, from } = segmentAt(index, step.segment);
    const page =
      step.kind === 'read'
        ? await this.reader.readPage(from, step.size, signal)
        : await this.reader.passRows(from, step.size, signal);
    signal.throwIfAborted();
    if (typeof page.rows !== 'number') this.remember(start, page.rows);
    const next = dropFarRows(addPage(index, step.segment, page), this.range.first, MAX_ROWS_IN_MEMORY);
    this.change({ index: next, isReady: true });
  }

  /** Finds a row far away by its number. If the guess is off, the next one is closer. */
  private async jump(target: number, signal: AbortSignal): Promise<void> {
    try {
      await this.rememberEnd(signal);
      for (let guess = 0; guess < MAX_GUESSES; guess += 1) {
        const number = guessRowNumber(...this.neighbours(target), target);
        const { position, from } = await this.reader.countBefore(number, signal);
        signal.throwIfAborted();
        this.known.push({ position, number });
        this.change({ index: addAnchor(this.state.get().index, position, from) });
        if (Math.abs(position - target) < 500) return;
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    // The numbers are too uneven, or counting takes too long.
    this.canJump = false;
  }

  private async rememberEnd(signal: AbortSignal): Promise<void> {
    const end = this.total ?? 0;
    if (this.known.some(({ position }) => position >= end - 1)) return;
    const number = await this.reader.readLastNumber(signal);
    if (number !== undefined) this.known.push({ position: end - 1, number });
  }

  private remember(start: number, rows: readonly Row[]): void {
    const last = rows.at(-1)?.['_row'];
    if (last !== undefined) this.known.push({ position: start + rows.length - 1, number: Number(last) });
  }

  private neighbours(target: number): [KnownRow, KnownRow] {
    const sorted = this.known.toSorted((a, b) => a.position - b.position);
    const before = sorted.findLast(({ position }) => position <= target) ?? { position: 0, number: 1 };
    const after = sorted.find(({ position }) => position > target) ?? before;
    return [before, after];
  }

  private change(part: Partial<RowsState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How many rows the grid has room for: all that are counted, and at least those that are known. */
export function countShown({ index }: RowsState, total: number | undefined): number {
  const known = countKnown(index);
  if (isComplete(index)) return known;
  return Math.max(known + 1, total ?? known + 200);
}

/** Whether the first page arrives within a time. */
export function whenReady({ state }: RowSource, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), withinMs);
    const unsubscribe = state.subscribe(check);
    function check(): void {
      const { isReady, error } = state.get();
      if (isReady || error !== undefined) end(isReady);
    }
    function end(isReady: boolean): void {
      clearTimeout(timer);
      unsubscribe();
      resolve(isReady);
    }
    check();
  });
}
