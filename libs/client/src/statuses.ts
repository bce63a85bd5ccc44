import * as statuses from '@millrace/contracts/runs/statuses';
import type { Run, Subjob } from './generated/types.js';

/** Whether a run with this status has ended. */
export const isFinalRun = (status: Run['status']): boolean => statuses.isFinalRun(status);

/** Whether a subjob with this status has ended. */
export const isFinalSubjob = (status: Subjob['status']): boolean => statuses.isFinalSubjob(status);
