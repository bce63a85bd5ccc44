import type { TICK_STATUSES } from '@millrace/contracts/workflows/schedules';
import type { Transaction } from '@millrace/persistence/database';
import { tellClocks } from './tell-clocks.js';

export interface Outcome {
  status: Exclude<(typeof TICK_STATUSES)[number], 'pending'>;
  reason?: string;
  run?: string;
}

/**
 * Notes what became of a tick, once. A schedule with a period of 0 waits for the end of a run; where there is none, because
 * none could be started, it tries again after a minute.
 */
export async function settleTick(tx: Transaction, id: string, { status, reason, run }: Outcome): Promise<void> {
  const settled = await tx.$queryRaw<{ schedule: string }[]>`
    UPDATE workflows.schedule_tick SET status = ${status}, reason = ${reason ?? null}, run = ${run ?? null}
    WHERE id = ${id}::uuid AND status = 'pending' RETURNING schedule_id::text AS schedule`;
  const [tick] = settled;
  if (!tick || status !== 'refused') return;
  const waits = await tx.$executeRaw`
    UPDATE workflows.schedule SET next_at = now() + interval '1 minute'
    WHERE id = ${tick.schedule}::uuid AND enabled AND repeat_period = 0 AND next_at IS NULL`;
  if (waits > 0) await tellClocks(tx);
}
