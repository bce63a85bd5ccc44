import { useEffect, useState } from 'react';

const UPDATE_INTERVAL_MS = 1_000;

/** The present time, to the second. It stands still unless something on the page is under way. */
export function useNow(isActive: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isActive) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), UPDATE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isActive]);
  return now;
}
