import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from '../../../store/create-store.js';
import { countKnown, isComplete } from './row-index.js';
import { countQuery, createReader, type RowQuery } from './row-query.js';
import { countShown, RowSource } from './row-source.js';

const FIRST_ROWS = { first: 0, last: 60 };

/** The source of the query that the page is about to show. */
let prepared: { key: string; source: RowSource } | undefined;

function takePrepared(key: string): RowSource | undefined {
  return prepared?.key === key ? prepared.source : undefined;
}

const keyOf = (query: RowQuery, version: number): string => JSON.stringify([query, version]);

/** Requests the first rows of a query before the page navigates to it, so that the router costs no time. */
function prepare(query: RowQuery, version: number): void {
  const key = keyOf(query, version);
  if (prepared?.key === key) return;
  prepared?.source.stop();
  prepared = { key, source: new RowSource(createReader(query)) };
  prepared.source.show(FIRST_ROWS);
}

/**
 * The rows of a query. Until its first page has arrived, those of the query before stay.
 * @param version another number reads everything again
 */
export function useRowSource(query: RowQuery, version: number) {
  const key = keyOf(query, version);
  // The key is the query as text.
  const source = useMemo(() => takePrepared(key) ?? new RowSource(createReader(query)), [key]);
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
    error: state.error,
    retry: () => source.retry(),
    prepare: (change: Partial<RowQuery>) => prepare({ ...query, ...change }, version),
    /** Rows that the grid has room for. */
    room: countShown(shownState, total),
    isRoomExact: isExact || (counted.data !== undefined && !counted.data.isEstimate),
    /** How many rows there are, as far as it is known. */
    count: isExact ? { count: known, isEstimate: false } : isStale ? undefined : estimate,
  };
}
