import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Run } from '@millrace/client';
import { stepsQuery } from '../steps/steps-query.js';
import { countInsights, newerInsights } from './count-insights.js';
import { liveRunOf } from './live-run.js';
import { simpleCounts } from './use-children.js';

/** The counts of a run, with what the stream has reported since the run was requested. */
export function useRunInsights(run: Run): Run['run_insights'] {
  const live = liveRunOf(run.id);
  useSyncExternalStore(live.subscribe, () => live.version);
  const { data: steps } = useQuery({ ...stepsQuery(run.id), enabled: false });
  if (run.finished || !steps) return run.run_insights;
  const streamed = countInsights(
    steps,
    (group) => simpleCounts(group) ?? live.knownChildrenOf(group.node)?.getCounts(),
  );
  return streamed ? newerInsights(run.run_insights, streamed) : run.run_insights;
}
