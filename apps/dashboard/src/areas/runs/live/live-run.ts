import type { RunChange } from '@millrace/client';
import { RUN_SUBJECT } from './apply-change.js';
import { ChildStates, type SubjobStatus } from './child-states.js';

/** What a batch of changes means for the records of a run. */
export interface Batch {
  run?: RunChange;
  /** The last change of each node, by the id of its subjob. */
  steps: Map<string, RunChange>;
}

/**
 * What the event stream of one run has reported: the number of its last change, and the statuses of all children. It outlives
 * the page, so that a stream continues where it ended.
 */
export class LiveRun {
  seq = 0;
  /** Increases with every batch. */
  version = 0;
  /** Whether the stream has reported everything to the end of the run. */
  isComplete = false;
  /** Changes since the last batch. */
  private batch: Batch = { steps: new Map() };
  private readonly children = new Map<string, ChildStates>();
  private readonly listeners = new Set<() => void>();
  private readonly changedNodes = new Set<string>();
  private readonly started = new Map<string, number>();

  /** The children of a node, by its name. */
  childrenOf(node: string, size: number): ChildStates {
    let states = this.children.get(node);
    if (!states) {
      states = new ChildStates(size);
      this.children.set(node, states);
    }
    states.grow(size);
    return states;
  }

  /** Runs for each change of a stream, so it costs the same for any number of children. */
  add(seq: number, change: RunChange): void {
    this.seq = seq;
    this.isComplete = false;
    const { subject, node, task_index: index } = change;
    if (subject === RUN_SUBJECT) this.batch.run = change;
    else if (index === undefined || node === undefined) this.batch.steps.set(subject, change);
    else {
      this.changeChild(node, index, change);
      this.changedNodes.add(node);
    }
  }

  takeBatch(): Batch {
    const { batch } = this;
    this.batch = { steps: new Map() };
    for (const node of this.changedNodes) this.children.get(node)?.publish();
    this.changedNodes.clear();
    this.version += 1;
    for (const listener of this.listeners) listener();
    return batch;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changeChild(node: string, index: number, { subject, status, at }: RunChange): void {
    const states = this.children.get(node) ?? this.childrenOf(node, index);
    const time = Date.parse(at);
    const start = this.started.get(subject);
    if (status === 'RUNNING') this.started.set(subject, time);
    else this.started.delete(subject);
    const duration = status === 'RUNNING' || start === undefined ? undefined : time - start;
    states.set(index, status as SubjobStatus, Number(subject), duration);
  }
}

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
