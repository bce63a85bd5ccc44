import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from '../../../store/create-store.js';
import { countKnown, isComplete } from './row-index.js';
import { countQuery, createReader, type RowQuery } from './row-query.js';
import { countShown, RowSource, whenReady } from './row-source.js';

/** Number of rows that are requested before the grid knows its height. */
const FIRST_ROWS = 30;
/** If the rows take longer, the page shows that it waits for them. */
const MAX_QUIET_MS = 150;

/** The source of the query that the page is about to show. */
let prepared: { key: string; source: RowSource } | undefined;

function takePrepared(key: string): RowSource | undefined {
  return prepared?.key === key ? prepared.source : undefined;
}

const keyOf = (query: RowQuery, version: number): string => JSON.stringify([query, version]);

function prepare(query: RowQuery, version: number, windowSize: number): RowSource {
  const key = keyOf(query, version);
  if (prepared?.key === key) return prepared.source;
  prepared?.source.stop();
  prepared = { key, source: new RowSource(createReader(query)) };
  prepared.source.show({ first: 0, last: Math.max(FIRST_ROWS, windowSize) - 1 });
  return prepared.source;
}

/** Rows that are shown although the address still has the query before, whose key is `before`. */
interface AheadOfAddress {
  before: string;
  source: RowSource;
}

/**
 * The rows of a query. Until its first page has arrived, those of the query before stay.
 * @param version another number reads everything again
 */
export function useRowSource(query: RowQuery, version: number) {
  const key = keyOf(query, version);
  const latestKey = useRef(key);
  useEffect(() => {
    latestKey.current = key;
  }, [key]);
  const [ahead, setAhead] = useState<AheadOfAddress>();
  // The key is the query as text.
  const ofAddress = useMemo(() => takePrepared(key) ?? new RowSource(createReader(query)), [key]);
  const source = ahead?.before === key ? ahead.source : ofAddress;
  const state = useStore(source.state);
  const [shown, setShown] = useState(source);
  useEffect(() => {
    source.show({ first: 0, last: FIRST_ROWS - 1 });
    return () => source.stop();
  }, [source]);
  if (state.isReady && shown !== source) setShown(source);
  const grid = state.isReady ? source : shown;

  /**
   * Requests the rows of another query first, shows them in one commit when they arrive, and changes the address after that
   * frame. A render before the response would delay the rows.
   */
  const changeQuery = async (change: Partial<RowQuery>, changeAddress: () => void): Promise<void> => {
    const next = prepare({ ...query, ...change }, version, grid.windowSize);
    const isReady = await whenReady(next, MAX_QUIET_MS);
    if (prepared?.source !== next || latestKey.current !== key) return;
    if (isReady) {
      flushSync(() => setAhead({ before: key, source: next }));
      await afterFrame();
      if (prepared?.source !== next || latestKey.current !== key) return;
    }
    changeAddress();
  };

  const isAhead = source !== ofAddress;
  const counted = useQuery({ ...countQuery(query, version), enabled: state.isReady && !isAhead });
  const shownState = useStore(grid.state);
  const isStale = grid !== source;
  const isExact = isComplete(shownState.index);
  const known = countKnown(shownState.index);
  // A load may have added rows since they were counted.
  const isOutdated = !isStale && !isAhead && !isExact && counted.data !== undefined && known > counted.data.count;
  const { refetch: recount } = counted;
  useEffect(() => {
    if (isOutdated) void recount();
  }, [isOutdated, recount]);
  const total = isStale || isAhead ? undefined : counted.data?.count;
  useEffect(() => grid.setTotal(total), [grid, total]);
  // An estimate may be below the rows that are there.
  const estimate = counted.data && {
    count: Math.max(known, counted.data.count),
    isEstimate: counted.data.isEstimate || isOutdated,
  };
  return {
    source: grid,
    isStale,
    isReady: shownState.isReady,
    error: state.error,
    retry: () => source.retry(),
    changeQuery,
    /** The row up to which all rows are read, if nothing else leads to it. */
    passing: shownState.passing,
    /** Rows that the grid has room for. */
    room: countShown(shownState, total),
    isRoomExact: isExact || (estimate !== undefined && !estimate.isEstimate && !isAhead),
    /** How many rows there are, as far as it is known. */
    count: isExact ? { count: known, isEstimate: false } : isStale || isAhead ? undefined : estimate,
  };
}

const afterFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
