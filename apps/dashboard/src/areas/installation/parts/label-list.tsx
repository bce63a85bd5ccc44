import { formatLabels } from '@millrace/contracts/runs/labels-text';
import { CELL } from '../../../ui/table.js';

type Labels = Readonly<Record<string, string>>;

/** Labels of workers, each as a mark. */
export function LabelList({ labels, className = 'flex-wrap' }: { labels: Labels; className?: string }) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return <span className="text-muted">none</span>;
  return (
    <span className={`flex gap-1 ${className}`}>
      {entries.map(([name, value]) => (
        <span key={name} className="wrap-text rounded-sm bg-pressed px-1.5 text-xs">
          {name}={value}
        </span>
      ))}
    </span>
  );
}

/** Labels in one line of a table, with all of them on hover. */
export const LabelCell = ({ labels, className }: { labels: Labels; className: string }) => (
  <td className={`${CELL} max-w-56 overflow-hidden ${className}`} title={formatLabels(labels)}>
    <LabelList labels={labels} className="flex-nowrap" />
  </td>
);
