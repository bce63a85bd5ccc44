import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { lineAt, LINE_HEIGHT, rangeOf, type ScrollRange, scrollTopOf } from './scroll-range.js';

interface LogScroll {
  /** The first visible line; a fraction is the part of it above the view. */
  top: number;
  range: ScrollRange;
  viewHeight: number;
  /** Whether the view stays at the end while the log grows. */
  isAtEnd: boolean;
  onScroll: () => void;
  scrollToLine: (line: number) => void;
  scrollToEnd: () => void;
}

/** The scroll position of a log: it stays at the end until the user scrolls up, and can be set by line. */
export function useLogScroll(
  scroller: RefObject<HTMLDivElement | null>,
  lines: number,
  startsAtEnd: boolean,
): LogScroll {
  const [viewHeight, setViewHeight] = useState(400);
  const [top, setTop] = useState(0);
  const [isAtEnd, setAtEnd] = useState(startsAtEnd);
  const range = rangeOf(lines, viewHeight);
  /** Where the last own change has put the scrollbar, whose pixels may stand for several lines each. */
  const own = useRef<number>(undefined);

  const moveTo = useCallback(
    (line: number) => {
      const element = scroller.current;
      if (!element) return;
      const bounded = Math.min(range.lastTop, Math.max(0, line));
      element.scrollTop = scrollTopOf(bounded, range);
      own.current = element.scrollTop;
      setTop(bounded);
      setAtEnd(bounded >= range.lastTop - 1);
    },
    // The range is a new object each time; its numbers decide.
    [scroller, range.lastTop, range.scale],
  );

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setViewHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  useLayoutEffect(() => {
    if (isAtEnd) moveTo(range.lastTop);
  }, [isAtEnd, moveTo, range.lastTop]);

  useScaledWheel(scroller, range.isScaled, (change) => moveTo(top + change));

  const onScroll = () => {
    const element = scroller.current;
    if (!element || element.scrollTop === own.current) return;
    own.current = undefined;
    // The height may have changed since the last rendering, which moves the scrollbar as well.
    const present = rangeOf(lines, element.clientHeight);
    const line = lineAt(element.scrollTop, present);
    setTop(line);
    setAtEnd(line >= present.lastTop - 1);
  };
  return {
    ...{ top, range, viewHeight, isAtEnd, onScroll },
    scrollToLine: (line) => {
      moveTo(line - Math.floor(viewHeight / LINE_HEIGHT / 3));
      // While the log has fewer lines than the view, each of them is at the end; the view stays at the line when more arrive.
      setAtEnd(false);
    },
    scrollToEnd: () => moveTo(range.lastTop),
  };
}

/** In a scaled scrollbar a turn of the wheel would skip thousands of lines. */
function useScaledWheel(
  scroller: RefObject<HTMLDivElement | null>,
  isScaled: boolean,
  move: (lines: number) => void,
): void {
  const latest = useRef(move);
  useEffect(() => {
    latest.current = move;
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isScaled) return;
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY === 0 || event.ctrlKey) return;
      event.preventDefault();
      latest.current(event.deltaY / LINE_HEIGHT);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const page = element.clientHeight / LINE_HEIGHT - 2;
      const change = { ArrowDown: 2, ArrowUp: -2, PageDown: page, PageUp: -page, ' ': page }[event.key];
      if (change === undefined) return;
      event.preventDefault();
      latest.current(change);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('keydown', onKeyDown);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('keydown', onKeyDown);
    };
  }, [scroller, isScaled]);
}
