import { Prisma, type Task } from '@millrace/persistence/generated/client';
import { requireTransition } from '@millrace/service/transition-table';
import { TASK_COLUMNS } from '../rows/table-columns.js';
import { TASK_TRANSITIONS, type TaskOutcome, type TaskState } from '../states/task-transitions.js';
import type { ReportedDispatch } from './read-state.js';

/** The dispatches that reports are about, and their changes: claimed by a worker, or closed. */
export class DispatchWrites {
  private readonly open: Map<string, ReportedDispatch>;
  private readonly claimed = new Map<bigint, string>();
  private readonly closed = new Set<bigint>();
  /** How long the claimed ones waited for a worker, in seconds. */
  readonly waits: number[] = [];

  constructor(dispatches: ReportedDispatch[]) {
    this.open = new Map(dispatches.map((dispatch) => [String(dispatch.id), dispatch]));
  }

  /** The open dispatch, if it belongs to the worker. A dispatch that no worker has belongs to this one from now on. */
  claim(id: string, worker: string): ReportedDispatch | undefined {
    const dispatch = this.open.get(id);
    if (!dispatch || (dispatch.worker !== null && dispatch.worker !== worker)) return undefined;
    if (dispatch.worker === null) {
      this.claimed.set(dispatch.id, worker);
      this.waits.push(dispatch.waitedSeconds);
    }
    dispatch.worker = worker;
    return dispatch;
  }

  get haveClosed(): boolean {
    return this.closed.size > 0;
  }

  close(dispatch: ReportedDispatch): void {
    this.closed.add(dispatch.id);
    this.open.delete(String(dispatch.id));
  }

  *statements(): Iterable<Prisma.Sql> {
    const claimed = [...this.claimed].filter(([id]) => !this.closed.has(id));
    if (claimed.length > 0) {
      yield Prisma.sql`
        UPDATE runs.dispatch AS d SET worker = c.worker, claimed_at = now()
        FROM unnest(${claimed.map(([id]) => String(id))}::bigint[], ${claimed.map(([, worker]) => worker)}::text[]) AS c(id, worker)
        WHERE d.id = c.id`;
    }
    if (this.closed.size > 0) {
      yield Prisma.sql`DELETE FROM runs.dispatch WHERE id = ANY(${[...this.closed].map(String)}::bigint[])`;
    }
  }
}

type TaskChange = Partial<Omit<Task, 'state' | 'outcome'>> & { state?: TaskState; outcome?: TaskOutcome };

const KEY_FIELDS = ['runId', 'segment', 'index'] as const;
const WRITTEN_FIELDS = ['state', 'outcome', 'attempt', 'failures', 'losses', 'notBefore', 'dispatch'] as const;
const written = TASK_COLUMNS.assign(WRITTEN_FIELDS);

/** Dispatched tasks and their changes, written in one statement. */
export class TaskWrites {
  private readonly tasks = new Map<string, Task>();
  private readonly changed = new Set<Task>();

  constructor(tasks: Task[]) {
    for (const task of tasks) this.tasks.set(`${task.dispatch} ${task.index}`, task);
  }

  get haveChanged(): boolean {
    return this.changed.size > 0;
  }

  /** The task, as long as it belongs to the dispatch. */
  find(dispatch: bigint, index: number): Task | undefined {
    const task = this.tasks.get(`${dispatch} ${index}`);
    return task?.dispatch === dispatch ? task : undefined;
  }

  /** The tasks that still belong to the dispatch. */
  findAll(dispatch: bigint): Task[] {
    return [...this.tasks.values()].filter((task) => task.dispatch === dispatch);
  }

  change(task: Task, change: TaskChange): void {
    if (change.state) requireTransition(TASK_TRANSITIONS, 'task', task.state as TaskState, change.state);
    Object.assign(task, change);
    this.changed.add(task);
  }

  *statements(): Iterable<Prisma.Sql> {
    if (this.changed.size === 0) return;
    yield Prisma.sql`
      UPDATE runs.task AS t SET ${written}
      FROM ${TASK_COLUMNS.recordset([...KEY_FIELDS, ...WRITTEN_FIELDS], [...this.changed])}
      WHERE t.run_id = c.run_id AND t.segment = c.segment AND t.index = c.index`;
  }
}
