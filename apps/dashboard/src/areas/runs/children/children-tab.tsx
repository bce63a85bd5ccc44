import { useMemo } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { countOf, formatCount } from '../../../text/format-count.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Select } from '../../../ui/field.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { notifyError } from '../../../ui/toast.js';
import type { ChildStates } from '../live/child-states.js';
import { useChildVersion } from '../live/use-children.js';
import { STEP_FILTERS } from '../run/run-search.js';
import { useRunSearch } from '../run/use-run-search.js';
import { useThrottled } from '../shared/use-throttled.js';
import { ChildFilters } from './child-filters.js';
import { ChildrenGrid } from './children-grid.js';
import { FailedChildren } from './failed-children.js';
import { findChild } from './load-children.js';
import { orderChildren } from './order-children.js';
import { useChildStates, useDurations } from './use-child-states.js';

/** A filter or an order of 100,000 children takes some milliseconds. */
const ORDER_INTERVAL_MS = 1_000;

/** All children of a distributed node. */
export function ChildrenTab({ run, group }: { run: Run; group: Subjob }) {
  const { states, error, retry } = useChildStates(run, group);
  if (error && !states) return <ErrorNote error={error} onRetry={retry} className="m-4" />;
  if (!states) return <Skeleton rows={4} />;
  if (group.task_count === 0)
    return <p className="p-4 text-sm text-muted">There was nothing to distribute, so it has no children.</p>;
  return <Children run={run} group={group} states={states} />;
}

function Children({ run, group, states }: { run: Run; group: Subjob; states: ChildStates }) {
  const { search, patch, select } = useRunSearch();
  const version = useThrottled(useChildVersion(states), ORDER_INTERVAL_MS);
  const isByDuration = search.order === 'duration';
  const read = useDurations(group, states, isByDuration);
  const { children: filter } = search;
  const order = useMemo(
    () => orderChildren(states, filter && STEP_FILTERS[filter].statuses, isByDuration),
    // oxlint-disable-next-line react/exhaustive-deps -- the version is that of what is in `states`
    [states, filter, isByDuration, version],
  );
  const open = async (place: number) => {
    try {
      const id = states.idAt(place) ?? (await findChild(group, place + 1));
      if (id !== undefined) select(id, { tab: states.statusAt(place) === 'FAILED' ? 'logs' : 'summary' });
    } catch (cause) {
      notifyError(`Child ${place + 1} could not be opened`, cause);
    }
  };
  const shown = order ? order.length : states.size;
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <ChildFilters counts={states.getCounts()} filter={filter} onFilter={(next) => patch({ children: next })} />
        <Select
          aria-label="Order of the children"
          className="ml-auto w-40!"
          value={isByDuration ? 'duration' : ''}
          options={[
            { value: '', label: 'By number' },
            { value: 'duration', label: 'Longest first' },
          ]}
          onChange={(value) => patch({ order: value === 'duration' ? value : undefined })}
        />
      </div>
      {read !== undefined && (
        <p role="status" className="nums text-xs text-muted">
          Reading durations: {formatCount(read)} of {formatCount(states.size)}
        </p>
      )}
      {shown === 0 ? (
        <p className="text-sm text-muted">No child matches.</p>
      ) : (
        <ChildrenGrid
          states={states}
          order={order}
          label={`${countOf(shown, 'child', 'children')} of ${group.label}`}
          onOpen={(place) => void open(place)}
        />
      )}
      <FailedChildren run={run} group={group} failed={states.count('FAILED')} />
    </div>
  );
}
