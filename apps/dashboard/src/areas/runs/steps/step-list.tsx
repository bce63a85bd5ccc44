import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { StepItem } from './step-item.js';
import { buildStepRows, filterStepRows } from './step-rows.js';
import { axisOf } from './time-axis.js';

const ROW_HEIGHT = 32;

interface StepListProps {
  run: Run;
  steps: readonly Subjob[];
  matches: (step: Subjob) => boolean;
  selected: string | undefined;
  onSelect: (id: string) => void;
  now: number;
}

/** The steps of a run as a tree with bars on one time axis. Only the rows in view are in the document. */
export function StepList({ run, steps, matches, selected, onSelect, now }: StepListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const byId = useMemo(() => new Map(steps.map((step) => [step.id, step])), [steps]);
  // The structure of a run changes only if its steps do, so a change of statuses does not build it again.
  const structure = steps.map((step) => step.id).join();
  // oxlint-disable-next-line react/exhaustive-deps
  const tree = useMemo(() => buildStepRows(steps), [structure]);
  const rows = filterStepRows(tree, (step) => {
    const found = byId.get(step);
    return found !== undefined && matches(found);
  });
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const selectedPlace = rows.findIndex((row) => row.kind === 'step' && row.id === selected);
  useEffect(() => {
    if (selectedPlace >= 0) virtual.scrollToIndex(selectedPlace, { align: 'auto' });
  }, [selectedPlace, virtual]);
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    for (let place = selectedPlace + direction; place >= 0 && place < rows.length; place += direction) {
      const row = rows[place];
      if (row?.kind === 'step') return onSelect(row.id);
    }
  };
  const axis = axisOf(run, now);
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Steps"
      tabIndex={0}
      aria-activedescendant={selectedPlace >= 0 ? `${id}-${selected}` : undefined}
      onKeyDown={onKeyDown}
      className="min-h-40 flex-1 overflow-y-auto -outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const step = row.kind === 'step' ? byId.get(row.id) : undefined;
          return (
            <div
              key={row.key}
              id={`${id}-${row.kind === 'step' ? row.id : row.key}`}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-selected={step !== undefined && step.id === selected}
              aria-expanded={row.kind === 'module' ? true : undefined}
              tabIndex={-1}
              className="absolute inset-x-0 top-0 h-[32px] border-b border-line aria-selected:bg-selected hover:bg-hover aria-selected:hover:bg-selected"
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => step && onSelect(step.id)}
              onKeyDown={onKeyDown}
            >
              <StepItem row={row} step={step} axis={axis} now={now} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
