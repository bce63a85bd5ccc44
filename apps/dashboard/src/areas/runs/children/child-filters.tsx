import { formatCount } from '../../../text/format-count.js';
import { HUE_SOLID } from '../../../ui/status-looks.js';
import type { StatusCounts } from '../live/child-states.js';
import { STEP_FILTER_NAMES, STEP_FILTERS, type StepFilter } from '../run/run-search.js';

const SQUARES: Record<StepFilter, string> = {
  failed: HUE_SOLID.failed,
  active: HUE_SOLID.running,
  waiting: 'bg-queued-soft',
  succeeded: HUE_SOLID.succeeded,
  other: HUE_SOLID.stopped,
};

interface ChildFiltersProps {
  counts: StatusCounts;
  filter: StepFilter | undefined;
  onFilter: (filter: StepFilter | undefined) => void;
}

/** The legend of the grid, which filters it. */
export function ChildFilters({ counts, filter, onFilter }: ChildFiltersProps) {
  const shown = STEP_FILTER_NAMES.map((name) => ({
    name,
    count: STEP_FILTERS[name].statuses.reduce((sum, status) => sum + counts[status], 0),
  })).filter(({ name, count }) => count > 0 || name === filter);
  return (
    <div role="group" aria-label="Filter children by status" className="flex flex-wrap gap-1">
      {shown.map(({ name, count }) => (
        <button
          key={name}
          type="button"
          aria-pressed={filter === name}
          onClick={() => onFilter(filter === name ? undefined : name)}
          className="flex h-7 items-center gap-1.5 rounded-full border border-line px-2.5 text-xs text-muted hover:bg-hover aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-ink"
        >
          <span aria-hidden className={`size-2.5 rounded-xs ${SQUARES[name]}`} />
          {STEP_FILTERS[name].label} <span className="nums">{formatCount(count)}</span>
        </button>
      ))}
    </div>
  );
}
