import type { ChildStatuses, Subjob } from '@millrace/client';
import { STATUS_LETTERS } from '@millrace/contracts/runs/child-status-text';
import { SUBJOB_STATUSES } from '@millrace/contracts/runs/statuses';
import { readDuration } from './read-duration.js';

export type SubjobStatus = Subjob['status'];

/** All statuses; a child's status is stored as its place in this list. */
export const STATUSES: readonly SubjobStatus[] = SUBJOB_STATUSES;

const CODES = new Map(STATUSES.map((status, code) => [status, code]));
const RUNNING = CODES.get('RUNNING') ?? 1;

/** The letters of statuses in responses, in the order of `STATUSES`. */
const LETTERS = SUBJOB_STATUSES.map((status) => STATUS_LETTERS[status]);
const CODE_OF_LETTER = new Uint8Array(128);
for (const [code, letter] of LETTERS.entries()) CODE_OF_LETTER[letter.charCodeAt(0)] = code;

/** In the list of changed places: all of them. */
const ALL = -1;
/** More changed places than this are all of them. They stay while no grid is open. */
const MAX_CHANGED = 5_000;

export type StatusCounts = Record<SubjobStatus, number>;

/** A change of a child's status in the event stream. */
export interface ChildChange {
  /** Number of the child, from 1. */
  index: number;
  status: SubjobStatus;
  id: number;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * The statuses of a distributed node's children, by their numbers from 1. 100,000 children are a few arrays, and a change costs
 * the same however many there are. React components read it when `version` changes.
 *
 * The statuses come from two sources: snapshots (all children after change `seq` of the run) and single changes of the event
 * stream. Each child keeps the number of what it shows, and only what has a higher one replaces it. So the order in which
 * snapshots and changes arrive does not matter, nor whether some arrive twice: if every change after the oldest snapshot
 * arrives, every child shows its last one.
 */
export class ChildStates {
  /** Increases with every change. */
  version = 0;
  /** The last snapshot includes all changes up to this one; -1 before the first snapshot. */
  snapshotSeq = -1;
  /** The highest number of a change of a child. */
  private lastSeq = 0;
  private length = 0;
  private codes = new Uint8Array(0);
  /** Ids are numbers below 2^53. 0 if not known. */
  private ids = new Float64Array(0);
  /** Milliseconds; negative if not known. */
  private durations = new Float32Array(0);
  /** The number of the change, or of the snapshot, that each child shows. */
  private seqs = new Uint32Array(0);
  /** When running children started, by place. */
  private readonly started = new Map<number, number>();
  private readonly counts = STATUSES.map(() => 0);
  private changed: number[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(size = 0) {
    this.grow(size);
  }

  get size(): number {
    return this.length;
  }

  get isLoaded(): boolean {
    return this.snapshotSeq >= 0;
  }

  /** Adds children with the status PENDING. */
  grow(size: number): void {
    if (size <= this.length) return;
    if (size > this.codes.length) this.reserve(Math.max(size, Math.ceil(this.codes.length * 1.5)));
    this.counts[0] = (this.counts[0] ?? 0) + size - this.length;
    this.length = size;
    this.touchAll();
  }

  /** Applies a change, unless a newer one was applied to the child. O(1). */
  applyChange(seq: number, { index, status, id, at }: ChildChange): void {
    if (index < 1) return;
    this.grow(index);
    const place = index - 1;
    if (seq <= (this.seqs[place] ?? 0)) return;
    this.seqs[place] = seq;
    this.lastSeq = Math.max(this.lastSeq, seq);
    this.ids[place] = id;
    const start = this.started.get(place);
    if (status === 'RUNNING') this.started.set(place, at);
    else if (status !== 'STOPPING') this.started.delete(place);
    const hasDuration = start !== undefined && status !== 'RUNNING' && status !== 'PENDING' && status !== 'STOPPING';
    this.durations[place] = hasDuration ? Math.max(0, at - start) : -1;
    this.setCode(place, CODES.get(status) ?? 0);
    if (this.changed[0] === ALL) return;
    if (this.changed.length < MAX_CHANGED) this.changed.push(place);
    else this.changed = [ALL];
  }

  /** Applies one page of a snapshot to the children that no later change was applied to. 100,000 children take about 3 ms. */
  applySnapshot({ seq, at, count, from, statuses, durations }: ChildStatuses): void {
    if (seq >= this.lastSeq) this.truncate(count);
    this.grow(Math.max(count, from - 1 + statuses.length));
    const time = Date.parse(at);
    for (let offset = 0; offset < statuses.length; offset++) {
      const place = from - 1 + offset;
      if (seq < (this.seqs[place] ?? 0)) continue;
      this.seqs[place] = seq;
      const code = CODE_OF_LETTER[statuses.charCodeAt(offset)] ?? 0;
      const duration = readDuration(durations, 2 * offset);
      const isActive = LETTERS[code] === 'R' || LETTERS[code] === 'G';
      this.durations[place] = isActive ? -1 : duration;
      if (isActive && duration >= 0) this.started.set(place, time - duration);
      else this.started.delete(place);
      this.setCode(place, code);
    }
    this.touchAll();
  }

  /** The code of a child's status; its place in `STATUSES`. @param place from 0 */
  codeAt(place: number): number {
    return this.codes[place] ?? 0;
  }

  statusAt(place: number): SubjobStatus {
    return STATUSES[this.codeAt(place)] ?? 'PENDING';
  }

  /** The id of a child; undefined if not known. @param place from 0 */
  idAt(place: number): string | undefined {
    const id = this.ids[place] ?? 0;
    return id === 0 ? undefined : String(id);
  }

  /** Milliseconds; undefined if the child has not ended, or never started. */
  durationAt(place: number): number | undefined {
    const duration = this.durations[place] ?? -1;
    return duration < 0 ? undefined : duration;
  }

  /** The duration of a child, until `now` if it is running; undefined if it never started. In milliseconds. */
  elapsedAt(place: number, now: number): number | undefined {
    const start = this.codeAt(place) === RUNNING ? this.started.get(place) : undefined;
    return start === undefined ? this.durationAt(place) : Math.max(0, now - start);
  }

  count(status: SubjobStatus): number {
    return this.counts[CODES.get(status) ?? 0] ?? 0;
  }

  getCounts(): StatusCounts {
    return Object.fromEntries(STATUSES.map((status) => [status, this.count(status)])) as StatusCounts;
  }

  /** Ids of children are not valid if the input was distributed again. */
  forgetIds(): void {
    this.ids.fill(0);
  }

  /** The places that have changed since the last call; undefined if all of them may have. */
  takeChanged(): readonly number[] | undefined {
    const { changed } = this;
    this.changed = [];
    return changed[0] === ALL ? undefined : changed;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Reports the changes since the last call, once for a batch. */
  publish(): void {
    for (const listener of this.listeners) listener();
  }

  private setCode(place: number, code: number): void {
    const previous = this.codes[place] ?? 0;
    this.version += 1;
    if (code === previous) return;
    this.codes[place] = code;
    this.counts[previous] = (this.counts[previous] ?? 0) - 1;
    this.counts[code] = (this.counts[code] ?? 0) + 1;
  }

  /** The input was distributed again, into fewer children. */
  private truncate(size: number): void {
    for (let place = size; place < this.length; place++) {
      this.setCode(place, 0);
      this.seqs[place] = 0;
      this.durations[place] = -1;
      this.started.delete(place);
    }
    this.counts[0] = (this.counts[0] ?? 0) - Math.max(0, this.length - size);
    this.length = Math.min(this.length, size);
  }

  private reserve(capacity: number): void {
    const { codes, ids, durations, seqs } = this;
    this.codes = new Uint8Array(capacity);
    this.codes.set(codes);
    this.ids = new Float64Array(capacity);
    this.ids.set(ids);
    this.durations = new Float32Array(capacity).fill(-1);
    this.durations.set(durations);
    this.seqs = new Uint32Array(capacity);
    this.seqs.set(seqs);
  }

  private touchAll(): void {
    this.changed = [ALL];
    this.version += 1;
  }
}
