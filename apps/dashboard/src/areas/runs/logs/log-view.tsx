import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.js';
import { LogRow } from './log-row.js';
import { LINE_HEIGHT } from './scroll-range.js';
import type { LogBuffer } from './text/log-buffer.js';
import type { LineTimes } from './times/use-log-times.js';
import { useLogScroll } from './use-log-scroll.js';
import { useLogVersion } from './use-log.js';
import { useShortLog } from './use-short-log.js';

interface LogViewProps {
  buffer: LogBuffer;
  isWrapped: boolean;
  searched: string;
  /** Undefined hides their column. */
  times: LineTimes | undefined;
  /** The marked line, from 1; it is scrolled to when it changes. */
  line: number | undefined;
  onLine: (line: number) => void;
  onCutLine: (line: number) => void;
}

/** The lines in view. A log of millions of lines has the same number of elements as one of hundreds. */
export function LogView({ buffer, isWrapped, searched, times, line, onLine, onCutLine }: LogViewProps) {
  const version = useLogVersion(buffer);
  const scroller = useRef<HTMLDivElement>(null);
  const { lineCount } = buffer;
  const scroll = useLogScroll(scroller, lineCount, line === undefined);
  const { top, range, viewHeight, isAtEnd } = scroll;
  const first = Math.max(0, Math.min(lineCount - 1, Math.floor(top)));
  const shown = Math.min(lineCount - first, Math.ceil(viewHeight / LINE_HEIGHT) + 2);
  const isLoaded = line === undefined || line <= lineCount;
  const { scrollToLine } = scroll;
  const latest = useRef(scrollToLine);
  useEffect(() => {
    latest.current = scrollToLine;
  });
  useEffect(() => {
    if (line !== undefined && isLoaded) latest.current(line - 1);
  }, [line, isLoaded]);
  const isShort = isWrapped && range.lastTop === 0;
  const onShortScroll = useShortLog(scroller, { isShort, version, line });
  const digits = String(lineCount).length;
  // Wrapped lines are higher than the scrollbar assumes, so at the end the last line is what counts.
  const isAtBottom = isWrapped && isAtEnd && range.lastTop > 0;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        onScroll={isShort ? onShortScroll : scroll.onScroll}
        role="region"
        aria-label="Log"
        tabIndex={0}
        className="min-h-40 flex-1 overflow-auto bg-page font-mono text-xs [overflow-anchor:none] -outline-offset-2"
      >
        <div style={isShort ? undefined : { height: range.height }}>
          <div className={isShort ? '' : 'sticky top-0 h-0'}>
            <div
              className={isShort ? '' : `absolute min-w-full ${isWrapped ? 'w-full' : 'w-max'}`}
              style={
                isShort
                  ? undefined
                  : isAtBottom
                    ? { bottom: -viewHeight }
                    : { top: isWrapped ? 0 : -(top - first) * LINE_HEIGHT }
              }
            >
              {Array.from({ length: shown }, (_, place) => (
                <LogRow
                  key={first + place}
                  buffer={buffer}
                  place={first + place}
                  isWrapped={isWrapped}
                  searched={searched}
                  isMarked={line === first + place + 1}
                  digits={digits}
                  timeWidth={times?.width ?? 0}
                  elapsedMs={times?.timeline.find(buffer.startOf(first + place))}
                  startedAt={times?.startedAt}
                  onLine={onLine}
                  onCutLine={onCutLine}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
      {!isAtEnd && (
        <Button icon="arrowDown" className="absolute right-5 bottom-4 shadow-float" onClick={scroll.scrollToEnd}>
          {buffer.isComplete ? 'To the end' : 'Follow'}
        </Button>
      )}
    </div>
  );
}
