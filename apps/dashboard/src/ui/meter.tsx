/** From this share on, a limit deserves attention. */
const NEARLY_FULL = 0.9;

const shareOf = (used: number, limit: number): number => (limit === 0 ? 0 : Math.min(1, used / limit));

export const isNearlyFull = (used: number, limit: number): boolean => shareOf(used, limit) >= NEARLY_FULL;

interface MeterProps {
  label: string;
  used: number;
  limit: number;
  /** Whether a share that is nearly all deserves attention; default true. */
  hasWarning?: boolean;
}

/** How much of a limit is used, as a bar. */
export const Meter = ({ label, used, limit, hasWarning = true }: MeterProps) => (
  <div
    role="meter"
    aria-label={label}
    aria-valuenow={Math.round(100 * shareOf(used, limit))}
    aria-valuemin={0}
    aria-valuemax={100}
    className="h-1.5 w-24 overflow-hidden rounded-full bg-pressed"
  >
    <div
      className={`h-full ${hasWarning && isNearlyFull(used, limit) ? 'bg-failed-solid' : 'bg-accent'}`}
      style={{ width: `${100 * shareOf(used, limit)}%` }}
    />
  </div>
);
