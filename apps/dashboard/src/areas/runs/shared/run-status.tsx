import type { Run } from '@millrace/client';
import { StatusBadge } from '../../../ui/status.js';

/** The status of a run, with what its status alone does not say. */
export function RunStatus({ run }: { run: Pick<Run, 'status' | 'has_failures' | 'paused' | 'stalled'> }) {
  const label = describeStatus(run);
  return <StatusBadge status={run.status} {...(label !== undefined && { label })} />;
}

export function describeStatus({
  status,
  has_failures: hasFailures,
  paused,
  stalled,
}: Pick<Run, 'status' | 'has_failures' | 'paused' | 'stalled'>): string | undefined {
  if (status === 'COMPLETED' && hasFailures) return 'Completed with failures';
  if (stalled) return 'Stalled';
  if (paused) return 'Paused';
  return undefined;
}
