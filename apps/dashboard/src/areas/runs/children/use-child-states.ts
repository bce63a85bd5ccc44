import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Run, Subjob } from '@millrace/client';
import type { ChildStates } from '../live/child-states.js';
import { streamedChildren } from '../live/use-children.js';
import { runKey } from '../run/run-query.js';
import { loadChildren, loadDurations } from './load-children.js';

/** The children of a group: from the stream while the run is under way, otherwise from lists. */
export function useChildStates(run: Run, group: Subjob) {
  const queryClient = useQueryClient();
  const streamed = streamedChildren(run, group);
  const queryKey = [...runKey(run.id), 'child-states', group.id, group.status] as const;
  const { data, error, refetch } = useQuery({
    queryKey,
    // The children appear page by page.
    queryFn: ({ signal }): Promise<ChildStates> =>
      loadChildren(group, signal, (states) => queryClient.setQueryData(queryKey, states)),
    enabled: !streamed,
    structuralSharing: false,
    staleTime: 300_000,
    gcTime: 60_000,
  });
  return { states: streamed ?? data, error: streamed ? null : error, retry: () => void refetch() };
}

/** Reads the durations of all children when they are sorted by them. @returns the number that was read, until all are */
export function useDurations(group: Subjob, states: ChildStates | undefined, isNeeded: boolean): number | undefined {
  const [read, setRead] = useState<number>();
  useEffect(() => {
    if (!isNeeded || !states || hasDurations(states)) return;
    const controller = new AbortController();
    setRead(0);
    void loadDurations(group, states, controller.signal, setRead)
      .catch(() => undefined)
      .finally(() => setRead(undefined));
    return () => controller.abort();
    // The group is another object after each change of its status.
  }, [group.id, states, isNeeded]);
  return read;
}

/** Whether durations are known, by a sample: they are read for all children or for none. */
function hasDurations(states: ChildStates): boolean {
  const step = Math.max(1, Math.floor(states.size / 50));
  for (let place = 0; place < states.size; place += step) {
    if (states.statusAt(place) === 'SUCCEEDED' && states.durationAt(place) === undefined) return false;
  }
  return true;
}
