import { Icon } from './icon.js';
import { HUE_SOFT, HUE_TEXT, STATUS_LOOKS, type AnyStatus, type StatusLook } from './status-looks.js';

interface StatusBadgeProps {
  status: AnyStatus;
  /** Words in place of the status's own, such as "Completed with failures". */
  label?: string;
}

export function StatusBadge({ status, label }: StatusBadgeProps) {
  const look = STATUS_LOOKS[status];
  return <Badge {...look} label={label ?? look.label} />;
}

/** A state by word, icon and colour. */
export const Badge = ({ label, hue, icon }: StatusLook) => (
  <span
    className={`inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${HUE_TEXT[hue]} ${HUE_SOFT[hue]}`}
  >
    <Icon name={icon} size={13} />
    {label}
  </span>
);

/** The icon of a status alone, with its word for screen readers. */
export function StatusIcon({ status, size = 16 }: { status: AnyStatus; size?: number }) {
  const look = STATUS_LOOKS[status];
  return <Icon name={look.icon} size={size} label={look.label} className={HUE_TEXT[look.hue]} />;
}
