import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Subjob } from '@millrace/client';
import { runKey } from '../run/run-query.js';
import { readChild } from './load-children.js';

/** A pointer that crosses the grid requests nothing. */
const REST_MS = 150;

/** What a child works on. */
export interface ChildItem {
  /** The child, from 0. */
  place: number;
  text: string;
}

/** What a child works on, read when the pointer or the keyboard has been at it for a moment. @param place from 0 */
export function useChildItem(group: Subjob, place: number | undefined): ChildItem | undefined {
  const [rested, setRested] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(place), REST_MS);
    return () => clearTimeout(timer);
  }, [place]);
  const { data } = useQuery({
    queryKey: [...runKey(group.run), 'child-item', group.id, rested],
    queryFn: async ({ signal }) => {
      const child = await readChild(group, (rested ?? 0) + 1, signal);
      return { place: rested ?? 0, text: child ? describeParams(child.params) : '' };
    },
    enabled: rested !== undefined,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  return data && data.text !== '' ? data : undefined;
}

/** Values of inputs in one line. An input that is read from another node has the key `input/node`. */
export function describeParams(params: Subjob['params']): string {
  const entries = Object.entries(params);
  // What comes from the split has the name of its source; what all children share has not.
  const own = entries.filter(([key]) => key.includes('/'));
  const shown = own.length > 0 ? own : entries;
  return shown.map(([key, value]) => (shown.length === 1 ? String(value) : `${key.split('/')[0]} ${value}`)).join(', ');
}
