import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { runRoute } from '../routes.js';
import { type RunSearch, selectSubjob } from './run-search.js';

type Patch = { [K in keyof RunSearch]: RunSearch[K] | undefined };

/** What the address of the run chooses, and ways to change it. */
export function useRunSearch() {
  const search = runRoute.useSearch();
  const { runId } = runRoute.useParams();
  const navigate = useNavigate();
  return useMemo(() => {
    const go = (next: RunSearch, replace: boolean) =>
      void navigate({ to: '/runs/$runId', params: { runId }, search: next, replace, resetScroll: false });
    return {
      runId,
      search,
      /** Changes fields; undefined removes one. A change of what is selected is an entry of the history. */
      patch: (fields: Patch, isStep = false) =>
        go(
          Object.fromEntries(Object.entries({ ...search, ...fields }).filter(([, value]) => value !== undefined)),
          !isStep,
        ),
      select: (subjob: string | undefined, rest: RunSearch = {}) => go(selectSubjob(search, subjob, rest), false),
    };
  }, [runId, search, navigate]);
}
