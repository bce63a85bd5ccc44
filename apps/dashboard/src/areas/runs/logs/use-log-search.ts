import { useEffect, useMemo, useState } from 'react';
import type { LogBuffer } from './text/log-buffer.js';
import { LogSearch } from './text/log-search.js';

/** A search that goes on slice by slice while the page stays responsive, and when the log grows. */
export function useLogSearch(buffer: LogBuffer, text: string): LogSearch | undefined {
  const search = useMemo(() => (text === '' ? undefined : new LogSearch(buffer, text)), [buffer, text]);
  const [, setProgress] = useState(0);
  useEffect(() => {
    if (!search) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const searchOn = () => {
      timer = undefined;
      if (search.isDone) return;
      search.searchSlice();
      setProgress((progress) => progress + 1);
      schedule();
    };
    const schedule = () => {
      if (!search.isDone) timer ??= setTimeout(searchOn);
    };
    schedule();
    const unsubscribe = buffer.subscribe(schedule);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [buffer, search]);
  return search;
}
