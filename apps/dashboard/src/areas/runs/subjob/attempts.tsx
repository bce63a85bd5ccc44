import type { SubjobAttempt } from '@millrace/client';
import { formatBytes } from '../../../text/format-bytes.js';
import { formatDuration } from '../../../text/format-duration.js';
import { Icon } from '../../../ui/icon.js';
import { Card } from '../../../ui/page.js';
import { StatusIcon } from '../../../ui/status.js';
import { PanelSection } from '../run/panel-section.js';
import { useRunSearch } from '../run/use-run-search.js';

/** All attempts at a subjob, the last one first, each with its log. */
export function Attempts({ attempts }: { attempts: readonly SubjobAttempt[] }) {
  const { patch } = useRunSearch();
  return (
    <PanelSection title={`${attempts.length} attempts`}>
      <Card className="divide-y divide-line">
        {attempts.toReversed().map(({ attempt, status, message, duration_ms: duration, ...used }) => (
          <div key={attempt} className="flex items-center gap-2.5 px-3 py-1.5 text-sm">
            {status === 'LOST' ? (
              <Icon name="wifiOff" label="Lost" className="text-stopped" />
            ) : (
              <StatusIcon status={status} />
            )}
            <span className="nums">{attempt}</span>
            <span className="wrap-text min-w-0 flex-1 text-muted">
              {message}
              <span className="block text-xs">{describeUse(used)}</span>
            </span>
            {duration !== undefined && <span className="nums text-xs text-muted">{formatDuration(duration)}</span>}
            {status !== 'LOST' && (
              <button
                type="button"
                className="link text-xs"
                aria-label={`Log of attempt ${attempt}`}
                onClick={() => patch({ tab: 'logs', attempt, line: undefined }, true)}
              >
                Log
              </button>
            )}
          </div>
        ))}
      </Card>
    </PanelSection>
  );
}

/** Where an attempt ran, and what it used. */
const describeUse = ({
  worker,
  cpu_ms: cpu,
  max_rss_bytes: memory,
}: Pick<SubjobAttempt, 'worker' | 'cpu_ms' | 'max_rss_bytes'>): string =>
  [worker, cpu !== undefined && `${formatDuration(cpu)} CPU`, memory !== undefined && `${formatBytes(memory)} memory`]
    .filter(Boolean)
    .join(' · ');
