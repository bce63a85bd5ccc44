/**
 * A stored log: `size` bytes at `sha256`. Of a log that was too long, these are the first `head` bytes and the last
 * bytes of `total`.
 */
export interface StoredLogInfo {
  sha256: string;
  size: number;
  truncated: boolean;
  head?: number | undefined;
  total?: number | undefined;
}

/** A log longer than both together is stored as its head and its tail. */
export const LOG_HEAD_BYTES = 4 * 1024 * 1024;
export const LOG_TAIL_BYTES = 12 * 1024 * 1024;

/** Replaces the omitted bytes of a log, on a line of its own. */
export const describeLogGap = (bytes: number): string => `\n… ${bytes} bytes of this log were not kept …\n`;

/** A byte range of the stored object (`end` exclusive), or a text that replaces omitted bytes. */
export type LogPiece = { start: number; end: number } | { text: string };

/** Size of the complete log in bytes. */
export const completeLogSize = ({ size, total }: StoredLogInfo): number => total ?? size;

/**
 * Finds the stored bytes that continue the complete log at `offset`, up to the gap or the end.
 * @returns `skipped`: omitted bytes between `offset` and `start`
 */
export function locateInLog(log: StoredLogInfo, offset: number): { skipped: number; start: number; end: number } {
  const { size, head = size } = log;
  const gap = completeLogSize(log) - size;
  if (gap === 0) return { skipped: 0, start: Math.min(offset, size), end: size };
  if (offset < head) return { skipped: 0, start: offset, end: head };
  const start = Math.max(head, offset - gap);
  return { skipped: start + gap - offset, start: Math.min(start, size), end: size };
}

/** Lists what a reader gets of a stored log from byte `offset` of the complete log. */
export function listLogPieces(log: StoredLogInfo, offset = 0): LogPiece[] {
  const pieces: LogPiece[] = [];
  for (let at = offset; at < completeLogSize(log);) {
    const { skipped, start, end } = locateInLog(log, at);
    if (skipped > 0) pieces.push({ text: describeLogGap(skipped) });
    if (end > start) pieces.push({ start, end });
    at += skipped + end - start;
  }
  return pieces;
}
