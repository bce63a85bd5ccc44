import type { Database } from '@millrace/persistence/database';

/** Approvals decided in one iteration. */
const MAX_EXPIRED = 200;

/** An approval on which nobody decided in time. */
export interface ExpiredApproval {
  run: bigint;
  /** Stored object that holds the run's plan. */
  plan: string;
  id: bigint;
  step: number;
  task: number;
}

export const findExpired = ({ client }: Database): Promise<ExpiredApproval[]> => client.$queryRaw<ExpiredApproval[]>`
  SELECT a.run_id AS run, r.plan, s.id, s.step, s.task FROM runs.approval a
  JOIN runs.run r ON r.id = a.run_id
  JOIN runs.subjob s ON s.id = a.subjob_id
  JOIN runs.task t ON t.run_id = a.run_id AND t.segment = a.segment AND t.index = a.index AND t.state = 'UNDECIDED'
  WHERE a.decision IS NULL AND a.expires_at <= now() AND r.finished_at IS NULL AND r.status <> 'STOPPING'
  ORDER BY a.expires_at LIMIT ${MAX_EXPIRED}`;
