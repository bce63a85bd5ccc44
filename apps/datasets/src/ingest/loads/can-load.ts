import type { ReportingNode } from '@millrace/persistence/generated/client';

const ENDED_STATUSES: readonly string[] = ['COMPLETED', 'FAILED', 'STOPPED'];

/** Whether a run with this status has ended. */
export const hasEnded = (runStatus: string): boolean => ENDED_STATUSES.includes(runStatus);

/** Whether a reporting node loads the outputs of runs with this status. */
export const canLoad = ({ loadPartial }: Pick<ReportingNode, 'loadPartial'>, runStatus: string): boolean =>
  runStatus === 'COMPLETED' || (loadPartial && hasEnded(runStatus));
