import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from '../../../store/create-store.js';
import { countKnown, isComplete } from './row-index.js';
import { countQuery, createReader, type RowQuery } from './row-query.js';
import { countShown, RowSource } from './row-source.js';

const FIRST_ROWS = { first: 0, last: 60 };

/**
 * The rows of a query. Until its first page has arrived, those of the query before stay.
 * @param version another number reads everything again
 */
export function useRowSource(query: RowQuery, version: number) {
  const key = JSON.stringify([query, version]);
  // The key is the query as text.
  const source = useMemo(() => new RowSource(createReader(query)), [key]);
  const state = useStore(source.state);
  const [shown, setShown] = useState(source);
  useEffect(() => {
    source.show(FIRST_ROWS);
    return () => source.stop();
  }, [source]);
  if (state.isReady && shown !== source) setShown(source);

  const counted = useQuery({ ...countQuery(query, version), enabled: state.isReady });
  const shownState = useStore(shown.state);
  const isStale = shown !== source;
  const total = isStale ? undefined : counted.data?.count;
  useEffect(() => shown.setTotal(total), [shown, total]);
  const isExact = isComplete(shownState.index);
  const known = countKnown(shownState.index);
  // An estimate may be below the rows that are there.
  const estimate = counted.data && { ...counted.data, count: Math.max(known, counted.data.count) };
  return {
    source: shown,
    isStale,
    isReady: shownState.isReady,
    isLoading: state.isLoading || shownState.isLoading,
    error: state.error,
    retry: () => source.retry(),
    /** Rows that the grid has room for. */
    room: countShown(shownState, total),
    isRoomExact: isExact || (counted.data !== undefined && !counted.data.isEstimate),
    /** How many rows there are, as far as it is known. */
    count: isExact ? { count: known, isEstimate: false } : isStale ? undefined : estimate,
  };
}
