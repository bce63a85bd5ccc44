import { type RefObject, useLayoutEffect, useRef } from 'react';
import { LINE_HEIGHT } from './scroll-range.js';

/**
 * Scrolls a wrapped log that would fit into the view without wrapping. All of its lines are elements, so the browser scrolls them;
 * this keeps its end or the marked line in view.
 * @returns call it when the user has scrolled
 */
export function useShortLog(
  scroller: RefObject<HTMLDivElement | null>,
  { isShort, version, line }: { isShort: boolean; version: number; line: number | undefined },
): () => void {
  const isAtEnd = useRef(line === undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && isShort && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [scroller, isShort, version]);
  useLayoutEffect(() => {
    if (isShort && line !== undefined)
      scroller.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [scroller, isShort, line]);
  return () => {
    const element = scroller.current;
    if (element) isAtEnd.current = element.scrollTop + element.clientHeight > element.scrollHeight - LINE_HEIGHT;
  };
}
