import { isFinalRun, type Run } from '@millrace/client';
import { runDuration } from '../shared/run-duration.js';
import { useNow } from '../shared/use-now.js';
import { RunRow } from './run-row.js';

interface RunsTableProps {
  runs: readonly Run[];
  withWorkflow: boolean;
  /** The runs to compare, at most two. Without it there are no checkboxes. */
  selected?: readonly string[];
  onSelect?: (ids: string[]) => void;
}

const HEAD = 'h-8 px-2 text-left text-xs font-medium text-muted first:pl-3 last:pr-3';

export function RunsTable({ runs, withWorkflow, selected, onSelect }: RunsTableProps) {
  const now = useNow(runs.some(({ status }) => !isFinalRun(status)));
  const maxDuration = Math.max(0, ...runs.map((run) => runDuration(run, now) ?? 0));
  return (
    <div className="overflow-x-auto rounded-md border border-line bg-raised">
      <table className="w-full min-w-150 table-fixed border-collapse text-sm">
        <thead>
          <tr>
            {selected && (
              <th className={`${HEAD} w-9`}>
                <span className="sr-only">Compare</span>
              </th>
            )}
            <th className={`${HEAD} w-48`}>Status</th>
            <th className={HEAD}>Run</th>
            {withWorkflow && <th className={`${HEAD} max-lg:hidden`}>Workflow</th>}
            <th className={`${HEAD} w-30`}>Started</th>
            <th className={`${HEAD} w-28 pl-14 md:w-52 2xl:w-72`}>Duration</th>
            <th className={`${HEAD} w-30 max-md:hidden`}>Started by</th>
            <th className={`${HEAD} w-16 text-right`}>Failed</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow
              key={run.id}
              run={run}
              now={now}
              maxDuration={maxDuration}
              withWorkflow={withWorkflow}
              {...(selected && {
                selection: {
                  isSelected: selected.includes(run.id),
                  isDisabled: selected.length >= 2 && !selected.includes(run.id),
                  onChange: (isSelected) =>
                    onSelect?.(isSelected ? [...selected, run.id] : selected.filter((id) => id !== run.id)),
                },
              })}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
