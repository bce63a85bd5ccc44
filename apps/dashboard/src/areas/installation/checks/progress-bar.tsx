interface ProgressBarProps {
  label: string;
  done: number;
  /** 0 as long as it is not known. */
  total: number;
}

export const ProgressBar = ({ label, done, total }: ProgressBarProps) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    {...(total > 0 && { 'aria-valuemax': total, 'aria-valuenow': done })}
    className="h-1.5 w-24 overflow-hidden rounded-full bg-pressed"
  >
    <div className="h-full bg-accent" style={{ width: `${total === 0 ? 0 : (100 * done) / total}%` }} />
  </div>
);
