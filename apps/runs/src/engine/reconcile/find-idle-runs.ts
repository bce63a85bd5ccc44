import type { Database } from '@millrace/persistence/database';

/** A run that nothing drives. */
export interface IdleRun {
  id: bigint;
  changeSeq: number;
}

/** Runs looked at in one iteration. */
const MAX_RUNS = 100;

/**
 * Finds unfinished runs without a dispatch, whose tasks all wait for other tasks or have ended. Runs that wait for their
 * inputs or are paused are not among them, and neither are those that are marked already.
 */
export const findIdleRuns = ({ client }: Database): Promise<IdleRun[]> => client.$queryRaw<IdleRun[]>`
  SELECT r.id, r.change_seq AS "changeSeq" FROM runs.run r
  WHERE r.finished_at IS NULL AND NOT r.fetching AND r.paused_at IS NULL AND r.stalled_at IS NULL AND r.stop_segment IS NULL
    AND NOT EXISTS (SELECT 1 FROM runs.dispatch d WHERE d.run_id = r.id)
    AND NOT EXISTS (SELECT 1 FROM runs.task t WHERE t.run_id = r.id AND t.state = 'READY')
    AND NOT EXISTS (SELECT 1 FROM runs.task t WHERE t.run_id = r.id AND t.state = 'CHECKING')
    AND NOT EXISTS (SELECT 1 FROM runs.approval a JOIN runs.task t
      ON t.run_id = a.run_id AND t.segment = a.segment AND t.index = a.index AND t.state = 'UNDECIDED'
      WHERE a.run_id = r.id AND a.decision IS NULL)
  ORDER BY r.id LIMIT ${MAX_RUNS}`;
