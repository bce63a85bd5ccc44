import { useCallback, useMemo, useState } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { countOf } from '../../../text/format-count.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Select } from '../../../ui/field.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { notifyError } from '../../../ui/toast.js';
import type { ChildStates } from '../live/child-states.js';
import { useChildStates, useChildVersion } from '../live/use-children.js';
import { useRunSearch } from '../run/use-run-search.js';
import { ChildFilters } from './child-filters.js';
import { FailedChildren } from './failed-children.js';
import { ChildrenGrid } from './grid/children-grid.js';
import { firstOf, type GridRange, lastOf, sizeOf } from './grid/grid-selection.js';
import { readChild } from './load-children.js';
import { SelectionBar } from './selection/selection-bar.js';
import { useChildItem } from './use-child-item.js';
import { useOrder } from './use-order.js';

/** All children of a distributed node. */
export function ChildrenTab({ run, group }: { run: Run; group: Subjob }) {
  const { states, error, retry } = useChildStates(group);
  if (error && !states) return <ErrorNote error={error} onRetry={retry} className="m-4" />;
  if (!states) return <Skeleton rows={4} />;
  if (group.task_count === 0)
    return <p className="p-4 text-sm text-muted">There was nothing to distribute, so it has no children.</p>;
  return <Children run={run} group={group} states={states} />;
}

function Children({ run, group, states }: { run: Run; group: Subjob; states: ChildStates }) {
  const { search, patch, select } = useRunSearch();
  const version = useChildVersion(states);
  const { children: filter } = search;
  const isByDuration = search.order === 'duration';
  const [range, setRange] = useState<GridRange>();
  const order = useOrder(states, { filter, isByDuration, version, isKept: range !== undefined });
  const places = useMemo(() => placesIn(order, range), [order, range]);
  const [pointed, setPointed] = useState<number>();
  const item = useChildItem(group, pointed);
  const clear = useCallback(() => setRange(undefined), []);
  const open = async (place: number) => {
    try {
      const id = states.idAt(place) ?? (await readChild(group, place + 1))?.id;
      if (id !== undefined) select(id, { tab: states.statusAt(place) === 'FAILED' ? 'logs' : 'summary' });
    } catch (cause) {
      notifyError(`Child ${place + 1} could not be opened`, cause);
    }
  };
  const shown = order ? order.length : states.size;
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <ChildFilters
          counts={states.getCounts()}
          filter={filter}
          onFilter={(next) => {
            clear();
            patch({ children: next });
          }}
        />
        <Select
          aria-label="Order of the children"
          className="ml-auto w-40!"
          value={isByDuration ? 'duration' : ''}
          options={[
            { value: '', label: 'By number' },
            { value: 'duration', label: 'Longest first' },
          ]}
          onChange={(value) => {
            clear();
            patch({ order: value === 'duration' ? value : undefined });
          }}
        />
      </div>
      {shown === 0 ? (
        <p className="text-sm text-muted">No child matches.</p>
      ) : (
        <ChildrenGrid
          {...{ states, order, range, item }}
          label={`${countOf(shown, 'child', 'children')} of ${group.label}`}
          onOpen={(place) => void open(place)}
          onRange={setRange}
          onPoint={setPointed}
        />
      )}
      {places.length > 0 && <SelectionBar {...{ run, group, states, places, version }} onClear={clear} />}
      <FailedChildren run={run} group={group} failed={states.count('FAILED')} />
    </div>
  );
}

/** The children in a range of squares, from 0. */
function placesIn(order: Uint32Array | undefined, range: GridRange | undefined): readonly number[] {
  if (!range) return [];
  const first = firstOf(range);
  if (order) return [...order.subarray(first, lastOf(range) + 1)];
  return Array.from({ length: sizeOf(range) }, (_, offset) => first + offset);
}
