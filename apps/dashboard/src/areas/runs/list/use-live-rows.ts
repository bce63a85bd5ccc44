import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isFinalRun, type Run } from '@millrace/client';
import { client } from '../../../api/client.js';
import type { ListSearch } from './list-search.js';
import { activeRunsQuery, replaceRows, runsQuery } from './runs-query.js';

/** Keeps the rows of a list up to date: runs under way, runs that have just ended, and runs that have just begun. */
export function useLiveRows(search: ListSearch, rows: readonly Run[]): void {
  const queryClient = useQueryClient();
  const { data: active } = useQuery(activeRunsQuery(search));
  useEffect(() => {
    if (!active) return;
    const { queryKey } = runsQuery(search);
    const activeIds = new Set(active.map(({ id }) => id));
    const shown = new Set(rows.map(({ id }) => id));
    const ended = rows.filter(({ id, status }) => !isFinalRun(status) && !activeIds.has(id));
    const update = (changed: readonly Run[]) =>
      queryClient.setQueryData(queryKey, (data) => data && replaceRows(data, changed));
    const changed = active.filter((run) => shown.has(run.id) && !rows.includes(run));
    if (changed.length > 0) update(changed);
    if (ended.length > 0) void Promise.all(ended.map(({ id }) => client.runs.get(id))).then(update, () => undefined);
    const newest = rows[0]?.created_date ?? '';
    const hasNew = active.some(({ id, created_date: created }) => !shown.has(id) && created > newest);
    if (hasNew && !search.status) void queryClient.invalidateQueries({ queryKey, exact: true });
    // Only a new response changes rows; otherwise each change of rows would cause the next one.
  }, [active]);
}
