import type { RunChange } from '@millrace/client';
import { RUN_SUBJECT } from './apply-change.js';
import { ChildStates, type SubjobStatus } from './child-states.js';

/** What a batch of changes means for the records of a run. */
export interface Batch {
  run?: RunChange;
  /** The last change of each node, by the id of its subjob. */
  steps: Map<string, RunChange>;
  /** Nodes whose children have changed. */
  nodes: Set<string>;
}

/** A stream that would begin with more changes than this begins with the present instead. */
const MAX_REPLAYED = 2_000;

let epochs = 0;

/**
 * What the event stream of one run has reported: the number of its last change, and the statuses of all children. It outlives
 * the page, so that a stream continues where it ended.
 *
 * Every change after `from` was or will be received. So a snapshot of children is complete if it includes change `from`, and one
 * that does not is read again.
 */
export class LiveRun {
  from = 0;
  /** The last change that was received. */
  seq = 0;
  /** Increases with every batch. */
  version = 0;
  /** Another one when snapshots have to be read again. */
  epoch = ++epochs;
  /** When the steps were last requested, in milliseconds since 1970. */
  stepsRequestedAt = 0;
  /** The last change of each node. A response that was made before it is overtaken by it. */
  readonly stepChanges = new Map<string, RunChange>();
  private hasBegun = false;
  private batch: Batch = emptyBatch();
  private readonly children = new Map<string, ChildStates>();
  private readonly listeners = new Set<() => void>();

  /**
   * Chooses the change after which a stream begins. @param lastChange of a record of the run that was just read
   * @returns whether changes are left out, so that what was read before the record is out of date
   */
  begin(lastChange: number): boolean {
    const lag = lastChange - this.seq;
    if (lag <= 0 || (this.hasBegun && lag <= MAX_REPLAYED)) return false;
    this.hasBegun = true;
    this.require(lastChange);
    return true;
  }

  /** Snapshots have to include this change. */
  require(seq: number): void {
    if (seq <= this.from) return;
    this.from = seq;
    if (seq > this.seq) this.stepChanges.clear();
    this.seq = Math.max(this.seq, seq);
    const outdated = [...this.children.values()].filter((states) => states.isLoaded && states.snapshotSeq < seq);
    if (outdated.length === 0) return;
    for (const states of outdated) states.forgetIds();
    this.renew();
  }

  /** The children of a node, by its name. */
  childrenOf(node: string, size = 0): ChildStates {
    let states = this.children.get(node);
    if (!states) {
      states = new ChildStates(size);
      this.children.set(node, states);
    }
    states.grow(size);
    return states;
  }

  /** The children of a node, if they show every change that was received. */
  knownChildrenOf(node: string): ChildStates | undefined {
    const states = this.children.get(node);
    return states && states.isLoaded && states.snapshotSeq >= this.from ? states : undefined;
  }

  /** Runs for each change of a stream, so it costs the same for any number of children. */
  add(seq: number, change: RunChange): void {
    this.seq = seq;
    const { subject, node, task_index: index } = change;
    if (subject === RUN_SUBJECT) this.batch.run = change;
    else if (node === undefined) return;
    else if (index === undefined) {
      this.batch.steps.set(subject, change);
      this.stepChanges.set(subject, change);
      // Its input is distributed again, and its former children no longer exist.
      if (change.status === 'PENDING' && this.children.delete(node)) this.renew();
    } else {
      const status = change.status as SubjobStatus;
      this.childrenOf(node).applyChange(seq, { index, status, id: Number(subject), at: Date.parse(change.at) });
      this.batch.nodes.add(node);
    }
  }

  takeBatch(): Batch {
    const { batch } = this;
    this.batch = emptyBatch();
    for (const node of batch.nodes) this.children.get(node)?.publish();
    this.notify();
    return batch;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private renew(): void {
    this.epoch = ++epochs;
    this.notify();
  }

  private notify(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }
}

const emptyBatch = (): Batch => ({ steps: new Map(), nodes: new Set() });

const MAX_RUNS = 8;
const runs = new Map<string, LiveRun>();

/** The state of a run's stream. The last few runs are kept. */
export function liveRunOf(id: string): LiveRun {
  const run = runs.get(id) ?? new LiveRun();
  runs.delete(id);
  runs.set(id, run);
  for (const oldest of [...runs.keys()].slice(0, -MAX_RUNS)) runs.delete(oldest);
  return run;
}
