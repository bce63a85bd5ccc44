import { formatClock, formatElapsed } from './format-elapsed.js';

interface LineTimeProps {
  /** Undefined as long as it is not known. */
  elapsedMs: number | undefined;
  /** Start of the attempt. */
  startedAt: number | undefined;
  /** Of the column, in characters. */
  width: number;
  /** Digits of the largest line number, whose column is to the left. */
  digits: number;
}

/** When a line was written. It is not part of the text that is copied. */
export function LineTime({ elapsedMs, startedAt, width, digits }: LineTimeProps) {
  return (
    <span
      className="nums sticky z-1 shrink-0 self-stretch bg-panel pr-2 text-right whitespace-nowrap text-muted select-none"
      style={{ width: `calc(${width}ch + 0.5rem)`, left: `calc(${digits}ch + 1rem)` }}
      title={elapsedMs === undefined || startedAt === undefined ? undefined : formatClock(startedAt + elapsedMs)}
    >
      {elapsedMs !== undefined && formatElapsed(elapsedMs)}
    </span>
  );
}
