import type { Subjob } from '@millrace/client';

export type SubjobStatus = Subjob['status'];

/** All statuses; a child's status is stored as its place in this list. */
export const STATUSES: readonly SubjobStatus[] = [
  'PENDING',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'STOPPING',
  'STOPPED',
  'SKIPPED',
];

const CODES = new Map(STATUSES.map((status, code) => [status, code]));

/** In the list of changed places: all of them. */
const ALL = -1;

export type StatusCounts = Record<SubjobStatus, number>;

/**
 * The statuses of a distributed node's children, by their numbers from 1. 100,000 children are three arrays, and a change costs
 * the same however many there are. React components read it when `version` changes.
 */
export class ChildStates {
  /** Increases with every change. */
  version = 0;
  private codes: Uint8Array;
  /** Ids are numbers below 2^53. 0 if not known. */
  private ids: Float64Array;
  /** Milliseconds; negative if not known. */
  private durations: Float32Array;
  private readonly counts = STATUSES.map(() => 0);
  private changed: number[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(size: number) {
    this.codes = new Uint8Array(size);
    this.ids = new Float64Array(size);
    this.durations = new Float32Array(size).fill(-1);
    this.counts[0] = size;
  }

  get size(): number {
    return this.codes.length;
  }

  /** Adds children with the status PENDING. Children are never removed. */
  grow(size: number): void {
    if (size <= this.size) return;
    const added = size - this.size;
    const { codes, ids, durations } = this;
    this.codes = new Uint8Array(size);
    this.codes.set(codes);
    this.ids = new Float64Array(size);
    this.ids.set(ids);
    this.durations = new Float32Array(size).fill(-1);
    this.durations.set(durations);
    this.counts[0] = (this.counts[0] ?? 0) + added;
    this.touch();
  }

  /** Gives all children one status. */
  fill(status: SubjobStatus): void {
    const code = CODES.get(status) ?? 0;
    this.codes.fill(code);
    this.counts.fill(0);
    this.counts[code] = this.size;
    this.touch();
  }

  /** @param index number of the child, from 1 */
  set(index: number, status: SubjobStatus, id?: number, durationMs?: number): void {
    if (index < 1) return;
    if (index > this.size) this.grow(Math.max(index, Math.ceil(this.size * 1.5)));
    const place = index - 1;
    const code = CODES.get(status) ?? 0;
    const previous = this.codes[place] ?? 0;
    if (id !== undefined) this.ids[place] = id;
    if (durationMs !== undefined) this.durations[place] = durationMs;
    if (code !== previous) {
      this.codes[place] = code;
      this.counts[previous] = (this.counts[previous] ?? 0) - 1;
      this.counts[code] = (this.counts[code] ?? 0) + 1;
    }
    if (this.changed[0] !== ALL) this.changed.push(place);
    this.version += 1;
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

  durationAt(place: number): number | undefined {
    const duration = this.durations[place] ?? -1;
    return duration < 0 ? undefined : duration;
  }

  count(status: SubjobStatus): number {
    return this.counts[CODES.get(status) ?? 0] ?? 0;
  }

  getCounts(): StatusCounts {
    return Object.fromEntries(STATUSES.map((status) => [status, this.count(status)])) as StatusCounts;
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

  private touch(): void {
    this.changed = [ALL];
    this.version += 1;
  }
}
