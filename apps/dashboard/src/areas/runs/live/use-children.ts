import { useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { Subjob } from '@millrace/client';
import { childStatusesQuery } from '../children/child-statuses-query.js';
import { type ChildStates, STATUSES, type StatusCounts, type SubjobStatus } from './child-states.js';
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

/** The children of a task group: one response has all, and the event stream keeps them up to date. */
export function useChildStates(group: Subjob, isNeeded = true) {
  const live = liveRunOf(group.run);
  const epoch = useSyncExternalStore(live.subscribe, () => live.epoch);
  const { error, refetch } = useQuery({
    ...childStatusesQuery(live, group, epoch),
    enabled: isNeeded,
    // The data is not used, because the state of the run has what was read.
    notifyOnChangeProps: ['data', 'error'],
  });
  const states = live.childrenOf(group.node, group.task_count ?? 0);
  return { states: states.isLoaded ? states : undefined, error, retry: () => void refetch() };
}

/** The number of a task group's children by status. */
export function useChildCounts(group: Subjob): StatusCounts | undefined {
  const simple = simpleCounts(group);
  const { states } = useChildStates(group, !simple);
  useChildVersion(states);
  return simple ?? states?.getCounts();
}

/** The counts of a group whose children all have one status; undefined for others. */
export function simpleCounts({ status, task_count: count = 0 }: Pick<Subjob, 'status' | 'task_count'>) {
  if (status !== 'SUCCEEDED' && status !== 'PENDING') return undefined;
  return Object.fromEntries(STATUSES.map((name: SubjobStatus) => [name, name === status ? count : 0])) as StatusCounts;
}
