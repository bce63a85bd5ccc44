import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { pauseRun, resumeRun, updateRun } from '@millrace/contracts/runs/control';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { pauseRun as pause } from '../engine/pause/pause-run.js';
import type { LockedRun } from '../engine/transaction/locked-run.js';
import { findRun, readRun } from './find-run.js';
import { publishControl } from './publish-control.js';
import { toRun } from './to-run.js';

/** Changes runs while they are under way. */
@Controller()
export class ControlController {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
  ) {}

  @OperationHandler(updateRun)
  async update({ params, body }: Input<typeof updateRun>, context: Context): Promise<Result<typeof updateRun>> {
    const run = await findRun(this.database, context, params.id);
    if (body.pinned !== undefined) context.requireSpaceRole(run.spaceId, `Run ${run.id}`, 'space.edit');
    const given = Object.entries(body).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value] as const],
    );
    const changed = Object.fromEntries(given);
    if (Object.keys(changed).length === 0) return toRun(run);
    return this.change(run, async (tx, locked) => {
      await tx.run.update({ where: { id: run.id }, data: changed, select: { id: true } });
      Object.assign(locked.row, changed);
      publishControl(tx, run, context, { action: 'run.changed', details: changed });
    });
  }

  @OperationHandler(pauseRun)
  async pause({ params }: Input<typeof pauseRun>, context: Context): Promise<Result<typeof pauseRun>> {
    const run = await findRun(this.database, context, params.id);
    return this.change(run, async (tx, locked) => {
      const wasPaused = locked.pausedAt !== null;
      await pause(tx, locked, context.caller.user);
      if (!wasPaused) publishControl(tx, run, context, { action: 'run.paused' });
    });
  }

  @OperationHandler(resumeRun)
  async resume({ params }: Input<typeof resumeRun>, context: Context): Promise<Result<typeof resumeRun>> {
    const run = await findRun(this.database, context, params.id);
    const record = await this.change(run, (tx, locked) => {
      if (locked.pausedAt !== null) publishControl(tx, run, context, { action: 'run.resumed' });
      locked.resume();
      return Promise.resolve();
    });
    // The transaction still saw the run as paused when it dispatched.
    this.dispatcher.wake();
    return record;
  }

  private async change(
    { id }: Run,
    change: (tx: Transaction, run: LockedRun) => Promise<void>,
  ): Promise<Result<typeof updateRun>> {
    return this.dispatcher.change({
      lock: { ids: [id] },
      change: async (tx, runs) => {
        const run = runs.get(id);
        if (!run) throw new NotFoundError(`Run ${id}`);
        await change(tx, run);
      },
      read: async (tx) => toRun(await readRun(tx, id)),
    });
  }
}
