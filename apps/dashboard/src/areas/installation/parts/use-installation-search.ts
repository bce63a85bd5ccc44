import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { installationRoute } from '../routes.js';
import type { InstallationSearch } from '../search.js';

type Change = { [Field in keyof InstallationSearch]: InstallationSearch[Field] | undefined };

/** What the address of the page contains, and how to change it. */
export function useInstallationSearch() {
  const search = installationRoute.useSearch();
  const navigate = useNavigate();
  const change = useCallback(
    (part: Change, replace = false) =>
      void navigate({
        to: '.',
        search: (current: InstallationSearch) => ({ ...current, ...part }) as InstallationSearch,
        replace,
      }),
    [navigate],
  );
  /** Changes what is listed: the first page of it is shown. */
  const filter = useCallback((part: Change) => change({ page: undefined, ...part }, true), [change]);
  const filterText = useCallback((q: string) => filter({ q }), [filter]);
  const open = useCallback((id: string | undefined) => change({ open: id }), [change]);
  return { search, change, filter, filterText, open };
}
