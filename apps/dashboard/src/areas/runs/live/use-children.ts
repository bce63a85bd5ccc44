import { useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { childCountsQuery } from '../children/child-counts-query.js';
import type { ChildStates, StatusCounts } from './child-states.js';
import { liveRunOf } from './live-run.js';

const NONE = () => () => undefined;

/** Renders again when a batch of changes has come to children. @returns the number of their changes */
export function useChildVersion(states: ChildStates | undefined): number {
  const subscribe = states?.subscribe ?? NONE;
  return useSyncExternalStore(
    subscribe,
    useCallback(() => states?.version ?? 0, [states]),
  );
}

/** The children of a task group as the stream reports them; undefined if no stream has reported all of them. */
export function streamedChildren(run: Pick<Run, 'id' | 'finished'>, group: Subjob): ChildStates | undefined {
  const live = liveRunOf(run.id);
  if (run.finished && !live.isComplete) return undefined;
  return live.childrenOf(group.node, group.task_count ?? 0);
}

/** The number of a task group's children by status. */
export function useChildCounts(run: Pick<Run, 'id' | 'finished'>, group: Subjob): StatusCounts | undefined {
  const states = streamedChildren(run, group);
  useChildVersion(states);
  const { data } = useQuery({ ...childCountsQuery(group), enabled: !states });
  return states?.getCounts() ?? data;
}
