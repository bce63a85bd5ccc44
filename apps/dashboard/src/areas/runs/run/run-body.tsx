import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Run } from '@millrace/client';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { type Tab, Tabs } from '../../../ui/tabs.js';
import { AllOutputs } from '../outputs/all-outputs.js';
import { StepsPanel } from '../steps/steps-panel.js';
import { stepsQuery } from '../steps/steps-query.js';
import { SubjobPanel } from '../subjob/subjob-panel.js';
import { subjobQuery } from '../subjob/subjob-query.js';
import { Overview } from './overview/overview.js';
import { SplitView } from './split-view.js';
import { useRunSearch } from './use-run-search.js';

const RunGraph = lazy(() => import('../graph/run-graph.js').then(({ RunGraph }) => ({ default: RunGraph })));

type View = 'steps' | 'graph' | 'outputs';

const TABS: Tab<View>[] = [
  { value: 'steps', label: 'Steps' },
  { value: 'graph', label: 'Graph' },
  { value: 'outputs', label: 'All outputs' },
];

/** Steps at the left; at the right the selected one, or else the answer of the run. All outputs have the whole width. */
export function RunBody({ run, now }: { run: Run; now: number }) {
  const { search, patch } = useRunSearch();
  const { data: steps, error, refetch } = useQuery(stepsQuery(run.id));
  const { subjob } = search;
  const isNode = subjob !== undefined && (steps?.some(({ id }) => id === subjob) ?? true);
  // A child belongs to the node of its group.
  const { data: child } = useQuery({
    ...subjobQuery(run.id, subjob ?? '', run.finished),
    enabled: subjob !== undefined && !isNode,
  });
  const selected = isNode ? subjob : child?.task_group;
  const view: View = search.view ?? 'steps';
  const left = (
    <Tabs
      label="Parts of the run"
      tabs={TABS}
      value={view}
      onChange={(next) => patch({ view: next === 'steps' ? undefined : next, output: undefined }, true)}
      className="px-3"
      panelClassName="flex min-h-0 flex-1 flex-col"
    >
      {view === 'outputs' && <AllOutputs run={run} />}
      {view !== 'outputs' && error && !steps && (
        <ErrorNote error={error} onRetry={() => void refetch()} className="m-4" />
      )}
      {view !== 'outputs' && !steps && !error && <Skeleton rows={8} />}
      {view === 'steps' && steps && <StepsPanel run={run} steps={steps} selected={selected} now={now} />}
      {view === 'graph' && steps && (
        <Suspense fallback={<Skeleton rows={5} />}>
          <RunGraph run={run} steps={steps} selected={selected} />
        </Suspense>
      )}
    </Tabs>
  );
  // The other part has outputs as well, and one preview is open at a time.
  if (view === 'outputs') return <div className="flex min-h-0 flex-1 flex-col">{left}</div>;
  const right =
    subjob === undefined ? (
      <div className="h-full overflow-y-auto">
        <Overview run={run} />
      </div>
    ) : (
      <SubjobPanel key={subjob} run={run} id={subjob} step={steps?.find(({ id }) => id === subjob)} />
    );
  return <SplitView left={left} right={right} />;
}
