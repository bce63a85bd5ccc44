import { useEffect, useRef, useState } from 'react';

/** A value that changes at most once in an interval. The last value always arrives. */
export function useThrottled<T>(value: T, intervalMs: number): T {
  const [shown, setShown] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    if (Object.is(value, shown)) return;
    const pause = Math.max(0, changedAt.current + intervalMs - performance.now());
    const timer = setTimeout(() => {
      changedAt.current = performance.now();
      setShown(value);
    }, pause);
    return () => clearTimeout(timer);
  }, [value, shown, intervalMs]);
  return shown;
}
