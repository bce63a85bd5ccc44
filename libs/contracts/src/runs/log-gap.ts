/** A stored log: `size` bytes at `sha256`. Of one that was too long, they are the first `head` and the last of `total`. */
export interface StoredLogInfo {
  sha256: string;
  size: number;
  truncated: boolean;
  head?: number | undefined;
  total?: number | undefined;
}

/** What is kept of a log that is longer than both together. */
export const LOG_HEAD_BYTES = 4 * 1024 * 1024;
export const LOG_TAIL_BYTES = 12 * 1024 * 1024;

/** Stands in a log in the place of what was not kept, on a line of its own. */
export const describeLogGap = (bytes: number): string => `\n… ${bytes} bytes of this log were not kept …\n`;

/** Ends a log of an earlier version, which kept the beginning and not the length. */
const UNKNOWN_GAP = '\n… the rest of this log was not kept …\n';

/** Bytes of the object from `start` to before `end`, or a text that stands where bytes are missing. */
export type LogPiece = { start: number; end: number } | { text: string };

/** Bytes of the complete log. */
export const completeLogSize = ({ size, total }: StoredLogInfo): number => total ?? size;

/**
 * Bytes of the stored object that continue the complete log at `offset`, up to the gap or the end.
 * @returns `skipped`: bytes between `offset` and `start` that are not there
 */
export function locateInLog(log: StoredLogInfo, offset: number): { skipped: number; start: number; end: number } {
  const { size, head = size } = log;
  const gap = completeLogSize(log) - size;
  if (gap === 0) return { skipped: 0, start: Math.min(offset, size), end: size };
  if (offset < head) return { skipped: 0, start: offset, end: head };
  const start = Math.max(head, offset - gap);
  return { skipped: start + gap - offset, start: Math.min(start, size), end: size };
}

/** What a reader gets of a stored log from byte `offset` of the complete log on. */
export function listLogPieces(log: StoredLogInfo, offset = 0): LogPiece[] {
  const pieces: LogPiece[] = [];
  for (let at = offset; at < completeLogSize(log);) {
    const { skipped, start, end } = locateInLog(log, at);
    if (skipped > 0) pieces.push({ text: describeLogGap(skipped) });
    if (end > start) pieces.push({ start, end });
    at += skipped + end - start;
  }
  if (log.truncated && log.total === undefined) pieces.push({ text: UNKNOWN_GAP });
  return pieces;
}
