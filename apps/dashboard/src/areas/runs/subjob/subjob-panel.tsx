import { useQuery } from '@tanstack/react-query';
import type { Run, Subjob } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { Button, IconButton } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { StatusBadge } from '../../../ui/status.js';
import { type Tab, Tabs } from '../../../ui/tabs.js';
import { SubjobActions } from '../actions/subjob-actions.js';
import { ChildrenTab } from '../children/children-tab.js';
import { LogTab } from '../logs/log-tab.js';
import { SubjobOutputs } from '../outputs/subjob-outputs.js';
import type { SubjobTab } from '../run/run-search.js';
import { useRunSearch } from '../run/use-run-search.js';
import { modulePathOf } from '../shared/module-path.js';
import { subjobQuery } from './subjob-query.js';
import { Summary } from './summary.js';

interface SubjobPanelProps {
  run: Run;
  id: string;
  /** The node of the subjob as the list of steps has it, which is newer during a run. */
  step: Subjob | undefined;
}

/** One subjob: why it ended as it did, its children, its log, its outputs. */
export function SubjobPanel({ run, id, step }: SubjobPanelProps) {
  const { data, error, refetch } = useQuery(subjobQuery(run.id, id, run.finished));
  const { search, patch, select } = useRunSearch();
  if (error && !data)
    return (
      <div className="flex flex-col items-start gap-3 p-4">
        <ErrorNote error={error} onRetry={() => void refetch()} className="mt-0 w-full" />
        <Button onClick={() => select(undefined)}>Show the whole run</Button>
      </div>
    );
  const detailed = data && step?.id === data.id ? { ...data, status: step.status } : data;
  // The list of steps has everything of a node except its attempts, so its children need not wait for them.
  const subjob = detailed ?? step;
  if (!subjob) return <Skeleton rows={5} />;
  const tabs = tabsOf(subjob);
  const tab = tabs.find(({ value }) => value === search.tab)?.value ?? tabs[0]?.value ?? 'summary';
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PanelHeader run={run} subjob={subjob} />
      <Tabs
        label="Step"
        tabs={tabs}
        value={tab}
        onChange={(next) => patch({ tab: next, output: undefined, line: undefined })}
        className="px-3"
        panelClassName="flex min-h-0 flex-1 flex-col overflow-y-auto"
      >
        {tab === 'children' && <ChildrenTab run={run} group={subjob} />}
        {!detailed && tab !== 'children' && <Skeleton rows={5} />}
        {tab === 'summary' && detailed && <Summary run={run} subjob={detailed} />}
        {tab === 'logs' && detailed && <LogTab key={subjob.id} run={run} subjob={detailed} />}
        {tab === 'outputs' && detailed && <SubjobOutputs run={run} subjob={subjob} />}
      </Tabs>
    </div>
  );
}

function tabsOf({ task_count: count, approval }: Subjob): Tab<SubjobTab>[] {
  const outputs: Tab<SubjobTab> = { value: 'outputs', label: 'Outputs' };
  const summary: Tab<SubjobTab> = { value: 'summary', label: 'Summary' };
  if (count !== undefined)
    return [{ value: 'children', label: 'Children', count: formatCount(count) }, summary, outputs];
  return approval ? [summary, outputs] : [summary, { value: 'logs', label: 'Logs' }, outputs];
}

function PanelHeader({ run, subjob }: { run: Run; subjob: Subjob }) {
  const { select } = useRunSearch();
  const { task_group: group, task_index: index, label, node, status } = subjob;
  const modulePath = modulePathOf(node);
  return (
    <div className="flex items-start gap-2 px-4 pt-3 pb-1">
      <div className="min-w-0 flex-1">
        {modulePath !== undefined && <p className="truncate text-xs text-muted">{modulePath} /</p>}
        {group !== undefined && (
          <button
            type="button"
            className="flex max-w-full items-center gap-1 text-xs text-muted hover:text-ink"
            onClick={() => select(group, { tab: 'children' })}
          >
            <span dir="auto" className="truncate">
              {label}
            </span>
            <Icon name="chevronRight" size={12} />
          </button>
        )}
        <h2 className="flex flex-wrap items-center gap-2 text-base!" title={node}>
          <span dir="auto" className="wrap-text">
            {index === undefined ? label : `Child ${formatCount(index)}`}
          </span>
          <StatusBadge status={status} />
        </h2>
      </div>
      <SubjobActions run={run} subjob={subjob} />
      <IconButton icon="x" label="Close the step" className="-mr-2" onClick={() => select(undefined)} />
    </div>
  );
}
