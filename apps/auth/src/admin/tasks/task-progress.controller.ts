import { Controller } from '@nestjs/common';
import { reportTaskProgress } from '@millrace/contracts/auth/admin/admin-tasks';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';

/** Receives the progress of checks and reindexes from the services that work on them. */
@Controller()
export class TaskProgressController {
  constructor(private readonly database: Database) {}

  /** A part starts again if its service restarts, so the findings of a report with `done: 0` replace the former ones. */
  @OperationHandler(reportTaskProgress)
  report({ body }: Input<typeof reportTaskProgress>): Promise<Result<typeof reportTaskProgress>> {
    const { task, service, state, done, total, findings, error } = body;
    return this.database.transaction(async (tx) => {
      const continues = await lockTask(tx, task);
      await tx.$executeRaw`
        UPDATE auth.admin_task_part SET state = ${state}, done = ${done}::int, total = ${total}::int,
          error = ${error ?? null},
          findings = CASE WHEN ${done}::int = 0 THEN '[]'::jsonb ELSE findings END || ${JSON.stringify(findings)}::jsonb
        WHERE task_id = ${task}::uuid AND service = ${service}`;
      await tx.$executeRaw`
        UPDATE auth.admin_task t SET finished_at = now() WHERE id = ${task}::uuid AND finished_at IS NULL
          AND NOT EXISTS (SELECT FROM auth.admin_task_part p WHERE p.task_id = t.id AND p.state IN ('waiting', 'running'))`;
      return { continues };
    });
  }
}

/** Serializes reports about one task. @returns false if it was cancelled or deleted */
async function lockTask(tx: Transaction, task: string): Promise<boolean> {
  const [found] = await tx.$queryRaw<{ isCancelled: boolean }[]>`
    SELECT cancelled_at IS NOT NULL AS "isCancelled" FROM auth.admin_task WHERE id = ${task}::uuid FOR UPDATE`;
  return found?.isCancelled === false;
}
