import { useStoreApi } from '@xyflow/react';
import { startTransition, useEffect, useState } from 'react';
import { isCovered, regionOf, type Region } from '../../model/select-visible.js';

/** After this pause the picture is drawn again at the exact zoom, because a scaled one is blurred. */
const SETTLE_MS = 160;

/** The part of the graph that is drawn. It changes only when moving what was drawn is no longer enough. */
export function useRegion(): Region | undefined {
  const store = useStoreApi();
  const [region, setRegion] = useState<Region>();
  useEffect(() => {
    let current: Region | undefined;
    let settled: ReturnType<typeof setTimeout>;
    let last = '';
    const choose = (isUrgent: boolean) => {
      const { transform, width, height } = store.getState();
      if (width === 0) return;
      const [x, y, zoom] = transform;
      const viewport = { x, y, zoom };
      if (current && !isUrgent && isCovered(current, viewport, width, height)) return;
      if (current && isUrgent && current.zoom === zoom) return;
      const next = regionOf(viewport, width, height);
      current = next;
      startTransition(() => setRegion(next));
    };
    // Runs with every frame of a movement: it must not cause renders.
    const follow = () => {
      const { transform, width, height } = store.getState();
      const key = `${transform.join()} ${width} ${height}`;
      if (key === last) return;
      last = key;
      choose(false);
      clearTimeout(settled);
      settled = setTimeout(() => choose(true), SETTLE_MS);
    };
    follow();
    const unsubscribe = store.subscribe(follow);
    return () => {
      unsubscribe();
      clearTimeout(settled);
    };
  }, [store]);
  return region;
}
