import { useQuery } from '@tanstack/react-query';
import { formatBytes } from '../../text/format-bytes.js';
import { usageQuery } from './queries.js';

/** From this share on, the quota deserves attention. */
const NEARLY_FULL = 0.9;

/** How much of the vault's storage is used. */
export function StorageUsage() {
  const { data } = useQuery(usageQuery);
  if (!data) return null;
  const { used_bytes: used, run_bytes: ofRuns, quota_bytes: quota } = data;
  const share = quota === null || quota === 0 ? 0 : Math.min(1, used / quota);
  const isNearlyFull = share >= NEARLY_FULL;
  return (
    <div
      className="flex items-center gap-2 text-xs text-muted"
      title={`${formatBytes(used - ofRuns)} in files, ${formatBytes(ofRuns)} in outputs and logs of runs`}
    >
      {quota !== null && (
        <div
          role="meter"
          aria-label="Used storage"
          aria-valuenow={Math.round(100 * share)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-1.5 w-24 overflow-hidden rounded-full bg-pressed"
        >
          <div
            className={`h-full ${isNearlyFull ? 'bg-failed-solid' : 'bg-accent'}`}
            style={{ width: `${100 * share}%` }}
          />
        </div>
      )}
      <span className={`nums ${isNearlyFull ? 'font-medium text-failed' : ''}`}>
        {quota === null
          ? `${formatBytes(used)} used by files and runs`
          : `${formatBytes(used)} of ${formatBytes(quota)} used`}
      </span>
    </div>
  );
}
