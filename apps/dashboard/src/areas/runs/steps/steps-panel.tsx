import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { readStructure } from '../../../graph/structure/read-structure.js';
import { formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { SearchInput } from '../../../ui/search-input.js';
import { STEP_FILTER_NAMES, STEP_FILTERS, type StepFilter } from '../run/run-search.js';
import { useRunSearch } from '../run/use-run-search.js';
import { versionQuery } from '../subjob/subjob-query.js';
import { StepList } from './step-list.js';
import { readFolded, toggleFolded } from './step-rows.js';

interface StepsPanelProps {
  run: Run;
  steps: readonly Subjob[];
  /** The node of the selected subjob. */
  selected: string | undefined;
  now: number;
}

export const matchesFilter = (filter: StepFilter | undefined, status: Subjob['status']): boolean =>
  filter === undefined || (STEP_FILTERS[filter].statuses as readonly string[]).includes(status);

/** The list of steps with its filters. */
export function StepsPanel({ run, steps, selected, now }: StepsPanelProps) {
  const { search, patch, select } = useRunSearch();
  const text = search.name?.toLowerCase();
  const matches = ({ status, label, node }: Subjob) =>
    matchesFilter(search.steps, status) &&
    (text === undefined || label.toLowerCase().includes(text) || node.toLowerCase().includes(text));
  const counts = STEP_FILTER_NAMES.map((name) => ({
    name,
    count: steps.filter(({ status }) => matchesFilter(name, status)).length,
  })).filter(({ name, count }) => count > 0 || name === search.steps);
  const folded = readFolded(search.folded);
  const { data: version } = useQuery(versionQuery(run.workflow_info, run.workflow_version_info));
  const labels = useMemo(
    () => new Map(version ? readStructure(version.data).nodes.map(({ id, label }) => [id, label]) : []),
    [version],
  );
  const isFiltered = search.steps !== undefined || text !== undefined;
  const isEmpty = !steps.some(matches);
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <SearchInput
          label="Find a step"
          value={search.name ?? ''}
          onChange={(name) => patch({ name: name || undefined })}
          className="min-w-32 flex-1"
        />
        <div role="group" aria-label="Filter by status" className="flex flex-wrap gap-1">
          {counts.map(({ name, count }) => (
            <button
              key={name}
              type="button"
              aria-pressed={search.steps === name}
              onClick={() => patch({ steps: search.steps === name ? undefined : name })}
              className="h-7 rounded-full border border-line px-2.5 text-xs text-muted hover:bg-hover aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-ink"
            >
              {STEP_FILTERS[name].label} <span className="nums">{formatCount(count)}</span>
            </button>
          ))}
        </div>
      </div>
      {isEmpty ? (
        <p className="flex items-center gap-3 p-4 text-sm text-muted">
          {steps.length === 0 ? 'The run has no steps.' : 'No step matches.'}
          {steps.length > 0 && (
            <Button look="quiet" onClick={() => patch({ steps: undefined, name: undefined })}>
              Show all
            </Button>
          )}
        </p>
      ) : (
        <StepList
          run={run}
          steps={steps}
          // What a filter finds is shown, also in a folded module.
          matches={isFiltered ? matches : undefined}
          labels={labels}
          folded={folded}
          onFold={(key) => patch({ folded: toggleFolded(folded, key) })}
          selected={selected}
          onSelect={(id) => select(id)}
          now={now}
        />
      )}
    </>
  );
}
