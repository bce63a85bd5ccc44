import { memo } from 'react';
import { formatBytes } from '../../../text/format-bytes.js';
import { highlight } from './text/highlight.js';
import type { LogBuffer } from './text/log-buffer.js';
import { parseAnsi } from './text/parse-ansi.js';
import { LineTime } from './times/line-time.js';

/** Longer lines are cut. */
const MAX_LINE_BYTES = 2_000;

interface LogRowProps {
  buffer: LogBuffer;
  /** Of the line, from 0. */
  place: number;
  isWrapped: boolean;
  searched: string;
  isMarked: boolean;
  /** Digits of the largest line number. */
  digits: number;
  /** Width of the column of times, in characters; 0 hides it. */
  timeWidth: number;
  /** When the line was written, since the start of the attempt. */
  elapsedMs: number | undefined;
  startedAt: number | undefined;
  onLine: (line: number) => void;
  onCutLine: (line: number) => void;
}

function Row(props: LogRowProps) {
  const { buffer, place, isWrapped, searched, isMarked, digits, onLine, onCutLine } = props;
  const { text, cutBytes } = buffer.getShownLine(place, MAX_LINE_BYTES);
  const number = place + 1;
  return (
    <div
      data-line={number}
      className={`flex min-h-[18px] leading-[18px] ${isMarked ? 'bg-selected' : 'hover:bg-hover'} ${isWrapped ? '' : 'h-[18px]'}`}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Link to line ${number}`}
        onClick={() => onLine(number)}
        className="nums sticky left-0 z-1 flex shrink-0 justify-end self-stretch bg-panel px-2 text-muted select-none hover:text-ink"
        style={{ width: `calc(${digits}ch + 1rem)` }}
      >
        {number}
      </button>
      {props.timeWidth > 0 && (
        <LineTime elapsedMs={props.elapsedMs} startedAt={props.startedAt} width={props.timeWidth} digits={digits} />
      )}
      <span
        dir="ltr"
        className={`min-w-0 px-2 [unicode-bidi:isolate] ${isWrapped ? 'whitespace-pre-wrap wrap-text' : 'whitespace-pre'}`}
      >
        {highlight(parseAnsi(text), searched).map((span, index) =>
          span.isMatch ? (
            <mark key={index} className="rounded-xs bg-stopped-solid text-[#1c2024]">
              {span.text}
            </mark>
          ) : (
            <span key={index} className={span.className}>
              {span.text}
            </span>
          ),
        )}
        {cutBytes > 0 && (
          <button type="button" className="link ml-2 font-sans" onClick={() => onCutLine(number)}>
            … {formatBytes(cutBytes)} more
          </button>
        )}
      </span>
    </div>
  );
}

/**
 * A line of a log never changes, except the last one while it is being written: its buffer is the same object, so the last lines
 * are rendered each time.
 */
export const LogRow = memo(
  Row,
  (before, after) =>
    Object.keys(after).every((key) => before[key as keyof LogRowProps] === after[key as keyof LogRowProps]) &&
    after.place < after.buffer.lineCount - 2,
);
