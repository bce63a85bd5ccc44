import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useMemo, useRef } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { ModuleItem } from './module-item.js';
import { StepItem } from './step-item.js';
import { buildStepRows, filterStepRows, foldStepRows, placeOfStep } from './step-rows.js';
import { axisOf } from './time-axis.js';
import { useTreeKeys } from './use-tree-keys.js';

const ROW_HEIGHT = 32;

interface StepListProps {
  run: Run;
  steps: readonly Subjob[];
  /** Undefined for all steps. */
  matches: ((step: Subjob) => boolean) | undefined;
  /** Labels of modules by their keys. */
  labels: ReadonlyMap<string, string>;
  folded: ReadonlySet<string>;
  onFold: (key: string) => void;
  selected: string | undefined;
  onSelect: (id: string) => void;
  now: number;
}

/** The steps of a run as a tree with bars on one time axis. Only the rows in view are in the document. */
export function StepList({ run, steps, matches, labels, folded, onFold, selected, onSelect, now }: StepListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const byId = useMemo(() => new Map(steps.map((step) => [step.id, step])), [steps]);
  // The structure of a run changes only if its steps do, so a change of statuses does not build it again.
  const structure = steps.map((step) => step.id).join();
  // oxlint-disable-next-line react/exhaustive-deps
  const tree = useMemo(() => buildStepRows(steps), [structure]);
  const rows = matches
    ? filterStepRows(tree, (step) => {
        const found = byId.get(step);
        return found !== undefined && matches(found);
      })
    : foldStepRows(tree, folded);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const selectedPlace = placeOfStep(rows, selected, folded);
  const { active, onKeyDown, onClick } = useTreeKeys({ rows, folded, selectedPlace, onSelect, onFold });
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active, { align: 'auto' });
  }, [active, virtual]);
  const axis = axisOf(run, now);
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Steps"
      tabIndex={0}
      aria-activedescendant={active >= 0 ? `${id}-${rows[active]?.key}` : undefined}
      onKeyDown={onKeyDown}
      className="group/tree min-h-40 flex-1 overflow-y-auto -outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const step = row.kind === 'step' ? byId.get(row.id) : undefined;
          const isFolded = !matches && folded.has(row.key);
          return (
            <div
              key={row.key}
              id={`${id}-${row.key}`}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-selected={index === selectedPlace}
              aria-expanded={row.kind === 'module' ? !isFolded : undefined}
              data-active={index === active || undefined}
              tabIndex={-1}
              className="absolute inset-x-0 top-0 h-[32px] border-b border-line -outline-offset-2 group-focus-visible/tree:data-active:outline-2 group-focus-visible/tree:data-active:outline-accent aria-selected:bg-selected hover:bg-hover aria-selected:hover:bg-selected"
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onClick(row)}
              onKeyDown={onKeyDown}
            >
              {step && <StepItem step={step} depth={row.depth} axis={axis} now={now} />}
              {row.kind === 'module' && (
                <ModuleItem
                  {...{ isFolded, axis, now, depth: row.depth, title: row.key }}
                  label={labels.get(row.key) ?? row.label}
                  inner={row.steps.flatMap((inner) => byId.get(inner) ?? [])}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
