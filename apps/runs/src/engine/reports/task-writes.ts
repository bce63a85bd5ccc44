import { Prisma, type Task } from '@millrace/persistence/generated/client';

/** Tasks that are out with dispatches, and their changes, written in one statement. */
export class TaskWrites {
  private readonly tasks = new Map<string, Task>();
  private readonly changed = new Set<Task>();

  constructor(tasks: Task[]) {
    for (const task of tasks) this.tasks.set(`${task.dispatch} ${task.index}`, task);
  }

  /** The task, while it is out with that dispatch. */
  find(dispatch: bigint, index: number): Task | undefined {
    const task = this.tasks.get(`${dispatch} ${index}`);
    return task?.dispatch === dispatch ? task : undefined;
  }

  of(dispatch: bigint): Task[] {
    return [...this.tasks.values()].filter((task) => task.dispatch === dispatch);
  }

  change(task: Task, to: Partial<Task>): void {
    Object.assign(task, to);
    this.changed.add(task);
  }

  *write(): Iterable<Prisma.Sql> {
    if (this.changed.size === 0) return;
    const rows = [...this.changed].map((task) => ({
      run: String(task.runId),
      segment: task.segment,
      index: task.index,
      state: task.state,
      attempt: task.attempt,
      failures: task.failures,
      losses: task.losses,
      not_before: task.notBefore,
      dispatch: task.dispatch === null ? null : String(task.dispatch),
    }));
    yield Prisma.sql`
      UPDATE runs.task AS t SET state = c.state, attempt = c.attempt, failures = c.failures, losses = c.losses,
        not_before = c.not_before, dispatch = c.dispatch
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS c(run bigint, segment int, index int, state text,
        attempt int, failures int, losses int, not_before timestamptz, dispatch bigint)
      WHERE t.run_id = c.run AND t.segment = c.segment AND t.index = c.index`;
  }
}
