import type { ScheduleTick } from '@millrace/client';
import { Icon, type IconName } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';

export const TICK_LOOKS: Record<ScheduleTick['status'], { label: string; icon: IconName; className: string }> = {
  pending: { label: 'Starting', icon: 'circleDashed', className: 'text-queued' },
  started: { label: 'Started a run', icon: 'circleCheck', className: 'text-succeeded' },
  skipped: { label: 'Skipped', icon: 'circleSlash', className: 'text-stopped' },
  refused: { label: 'Could not start', icon: 'circleX', className: 'text-failed' },
};

/** When a schedule was due, and what became of it. */
export function TickStatus({ tick }: { tick: ScheduleTick }) {
  const { label, icon, className } = TICK_LOOKS[tick.status];
  return (
    <span className="inline-flex items-center gap-1.5" title={tick.reason ?? label}>
      <Icon name={icon} size={14} label={label} className={className} />
      <Time value={tick.date} className="text-muted" />
    </span>
  );
}
