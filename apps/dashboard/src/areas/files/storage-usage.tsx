import { useQuery } from '@tanstack/react-query';
import { formatBytes } from '../../text/format-bytes.js';
import { isNearlyFull, Meter } from '../../ui/meter.js';
import { usageQuery } from './queries.js';

/** How much of the vault's storage is used. */
export function StorageUsage() {
  const { data } = useQuery(usageQuery);
  if (!data) return null;
  const { used_bytes: used, run_bytes: ofRuns, quota_bytes: quota } = data;
  return (
    <div
      className="flex items-center gap-2 text-xs text-muted"
      title={`${formatBytes(used - ofRuns)} in files, ${formatBytes(ofRuns)} in outputs and logs of runs`}
    >
      {quota !== null && <Meter label="Used storage" used={used} limit={quota} />}
      <span className={`nums ${quota !== null && isNearlyFull(used, quota) ? 'font-medium text-failed' : ''}`}>
        {quota === null
          ? `${formatBytes(used)} used by files and runs`
          : `${formatBytes(used)} of ${formatBytes(quota)} used`}
      </span>
    </div>
  );
}
