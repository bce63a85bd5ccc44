import { createStore, type Store } from '../../../store/create-store.js';
import { chooseStep, type RowRange, type Step } from './choose-step.js';
import { guessKey, type KnownRow } from './guess-anchor.js';
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
import type { RowPlaces } from './row-places.js';

export type Row = Record<string, unknown>;

/** The requests of one query. */
export interface RowReader {
  q: string;
  /** Undefined if nothing but reading finds a row far away. */
  places: RowPlaces | undefined;
  readPage: (from: ReadPoint, size: number, signal: AbortSignal) => Promise<{ rows: Row[]; cursor: string | null }>;
  passRows: (from: ReadPoint, size: number, signal: AbortSignal) => Promise<{ rows: number; cursor: string | null }>;
}

export interface RowsState {
  index: RowIndex<Row>;
  /** Whether the first page has arrived. */
  isReady: boolean;
  /** The row up to which rows are read only to get past them. */
  passing?: number;
  error?: unknown;
}

const MAX_ROWS_IN_MEMORY = 4_000;
/** While the scrollbar is dragged, only the place where it rests is looked up. */
const JUMP_DELAY_MS = 80;
const MAX_GUESSES = 8;
/** After these, the middle between two known keys is the better guess: the keys do not grow evenly. */
const EVEN_GUESSES = 3;
/** A row this far from the target is read past. */
const NEAR = 500;
/** The next rows are requested after the first ones are painted, because both need the same processor. */
const FIRST_PAINT_MS = 60;

/** Reads the rows that come into view, one request at a time, and keeps a bounded number of them. */
export class RowSource {
  readonly state: Store<RowsState>;
  private range: RowRange = { first: 0, last: 0 };
  private total: number | undefined;
  private current: AbortController | undefined;
  private canJump: boolean;
  /** A row that no key leads to, because very many rows have the same key. */
  private unreachable: number | undefined;
  private isEndKnown = false;
  private readonly known: KnownRow[] = [];

  constructor(private readonly reader: RowReader) {
    this.canJump = reader.places !== undefined;
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

  private get mayJump(): boolean {
    const isReachable = this.unreachable === undefined || Math.abs(this.range.first - this.unreachable) > 5_000;
    return this.canJump && this.total !== undefined && isReachable;
  }

  private async continue(isFar: boolean): Promise<void> {
    if (this.current || this.state.get().error !== undefined) return;
    const controller = new AbortController();
    this.current = controller;
    const { signal } = controller;
    try {
      if (isFar) await sleep(JUMP_DELAY_MS);
      for (;;) {
        const step = signal.aborted ? undefined : chooseStep(this.state.get().index, this.range, this.mayJump);
        if (!step) break;
        const isFirst = !this.state.get().isReady;
        await this.execute(step, signal);
        if (isFirst) await sleep(FIRST_PAINT_MS);
      }
    } catch (error) {
      if (!signal.aborted) this.change({ error });
    }
    if (this.current !== controller) return;
    this.current = undefined;
    this.endPassing();
  }

  private async execute(step: Step, signal: AbortSignal): Promise<void> {
    if (step.kind === 'jump') return this.jump(step.target, signal);
    const { index } = this.state.get();
    const { start, from } = segmentAt(index, step.segment);
    if (step.kind === 'pass' && this.state.get().passing === undefined) this.change({ passing: this.range.first });
    const page =
      step.kind === 'read'
        ? await this.reader.readPage(from, step.size, signal)
        : await this.reader.passRows(from, step.size, signal);
    signal.throwIfAborted();
    if (typeof page.rows !== 'number') this.remember(start, page.rows);
    const next = dropFarRows(addPage(index, step.segment, page), this.range.first, MAX_ROWS_IN_MEMORY);
    if (step.kind === 'read') this.endPassing();
    this.change({ index: next, isReady: true });
  }

  /** Finds a row far away by its key. If the guess is off, the next one is closer. */
  private async jump(target: number, signal: AbortSignal): Promise<void> {
    const { places } = this.reader;
    try {
      if (!places || !(await this.findEnd(places, target, signal))) return;
      for (let guess = 0; guess < MAX_GUESSES; guess += 1) {
        const [before, after] = this.neighbours(target);
        const even = guessKey(before, after, target);
        const key = places.round(guess < EVEN_GUESSES ? even : (before.key + after.key) / 2);
        if (guess > 0 && (key === before.key || key === after.key)) break;
        const { position, from } = await places.countBefore(key, signal);
        signal.throwIfAborted();
        this.known.push({ position, key });
        this.change({ index: addAnchor(this.state.get().index, position, from) });
        if (Math.abs(position - target) < NEAR) return;
      }
      this.unreachable = target;
    } catch (error) {
      if (signal.aborted) throw error;
      // Counting takes too long.
      this.canJump = false;
    }
  }

  /** Whether keys lead to the target. Rows without a key are at the end, and have a place of their own. */
  private async findEnd(places: RowPlaces, target: number, signal: AbortSignal): Promise<boolean> {
    if (this.isEndKnown) return true;
    const end = await places.readEnd(signal);
    signal.throwIfAborted();
    if (!end) {
      this.canJump = false;
      return false;
    }
    const { key, rows = this.total ?? 0, rest } = end;
    this.isEndKnown = true;
    this.known.push({ position: rows - 1, key });
    if (!rest || rows >= (this.total ?? 0)) return true;
    this.change({ index: addAnchor(this.state.get().index, rows, rest) });
    return target < rows;
  }

  private remember(start: number, rows: readonly Row[]): void {
    for (const at of [0, rows.length - 1]) {
      const row = rows[at];
      const key = row && this.reader.places?.keyOf(row);
      if (key !== undefined) this.known.push({ position: start + at, key });
    }
  }

  private neighbours(target: number): [KnownRow, KnownRow] {
    const sorted = this.known.toSorted((a, b) => a.position - b.position);
    const before = sorted.findLast(({ position }) => position <= target) ?? { position: 0, key: 1 };
    const after = sorted.find(({ position }) => position > target) ?? before;
    return [before, after];
  }

  private endPassing(): void {
    const { passing, ...state } = this.state.get();
    if (passing !== undefined) this.state.set(state);
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
