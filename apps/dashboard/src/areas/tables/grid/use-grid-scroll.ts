import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { maxOffset, ROW_HEIGHT, scaleRows } from './scroll-scale.js';

export const HEADER_HEIGHT = 33;

interface Viewport {
  /** Pixels of rows above the visible ones. */
  offset: number;
  /** The position of the element's own scrollbar. */
  scrollTop: number;
  scrollLeft: number;
  width: number;
  /** Height for rows, without the header. */
  height: number;
}

/** Follows the scroll position of the grid. If rows are higher than an element can be, the scrollbar stands for more of them. */
export function useGridScroll(scroller: RefObject<HTMLDivElement | null>, count: number) {
  const [viewport, setViewport] = useState<Viewport>({ offset: 0, scrollTop: 0, scrollLeft: 0, width: 0, height: 0 });
  const scale = scaleRows(count, viewport.height);
  const latest = useRef({ viewport, scale, count });
  useLayoutEffect(() => {
    latest.current = { viewport, scale, count };
  });

  const scrollTo = useCallback(
    (offset: number, scrollLeft?: number) => {
      const element = scroller.current;
      const { viewport: now, scale: by, count: rows } = latest.current;
      if (!element) return;
      const next = Math.min(maxOffset(rows, now.height), Math.max(0, offset));
      element.scrollTop = next / by.factor;
      if (scrollLeft !== undefined) element.scrollLeft = scrollLeft;
      const { scrollTop, scrollLeft: left } = element;
      setViewport((old) =>
        old.offset === next && old.scrollTop === scrollTop && old.scrollLeft === left
          ? old
          : { ...old, offset: next, scrollTop, scrollLeft: left },
      );
    },
    [scroller],
  );

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, scrollLeft } = element;
    setViewport((old) => {
      // A position that `scrollTo` has set stands for an exact offset, which the scrollbar cannot express.
      const offset = scrollTop === old.scrollTop ? old.offset : scrollTop * latest.current.scale.factor;
      return { ...old, offset, scrollTop, scrollLeft };
    });
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () =>
      setViewport((old) => ({
        ...old,
        width: element.clientWidth,
        height: Math.max(0, element.clientHeight - HEADER_HEIGHT),
      }));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const onWheel = (event: WheelEvent) => {
      if (latest.current.scale.factor === 1 || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? ROW_HEIGHT : 1;
      scrollTo(latest.current.viewport.offset + event.deltaY * unit, element.scrollLeft + event.deltaX * unit);
    };
    // React adds passive listeners, which cannot prevent the default.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller, scrollTo]);

  return { viewport, scale, scrollTo, onScroll };
}
