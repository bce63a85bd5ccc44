import { findLastLines } from '@millrace/contracts/runs/find-last-lines';
import { completeLogSize, listLogPieces, type StoredLogInfo, type LogPiece } from '@millrace/contracts/runs/log-gap';
import type { ObjectStore } from '@millrace/storage/object-store';

/** How far back from the end the last lines are searched. */
const MAX_TAIL_BYTES = 4 * 1024 * 1024;

/** Finds the byte of the complete log at which its last `lines` lines begin. */
export async function findStoredTail(store: ObjectStore, log: StoredLogInfo, lines: number): Promise<number> {
  const { sha256, size, head = 0 } = log;
  const start = Math.max(head < size ? head : 0, size - MAX_TAIL_BYTES);
  if (start >= size) return completeLogSize(log);
  const end = await store.readAll(sha256, { start, end: size - 1 });
  return completeLogSize(log) - (end.length - findLastLines(end, lines));
}

/** Streams a stored log, beginning at a byte of the complete log. */
export const readStoredLog = (store: ObjectStore, log: StoredLogInfo, offset: number): AsyncGenerator<Uint8Array> =>
  readPieces(store, log.sha256, listLogPieces(log, offset));

/** Bytes `start` to `end` (both inclusive) of a stored log as it is sent, including the line that describes its gap. */
export const readStoredRange = (
  store: ObjectStore,
  log: StoredLogInfo,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Uint8Array> => readPieces(store, log.sha256, slice(listLogPieces(log), start, end + 1));

/** Size in bytes of a stored log as it is sent. */
export const sizeOfSentLog = (log: StoredLogInfo): number =>
  listLogPieces(log).reduce((sum, piece) => sum + lengthOf(piece), 0);

const lengthOf = (piece: LogPiece): number =>
  'text' in piece ? Buffer.byteLength(piece.text) : piece.end - piece.start;

function slice(pieces: LogPiece[], start: number, end: number): (LogPiece | Buffer)[] {
  let position = 0;
  return pieces.flatMap((piece): (LogPiece | Buffer)[] => {
    const length = lengthOf(piece);
    const [from, to] = [Math.max(0, start - position), Math.min(length, end - position)];
    position += length;
    if (from >= to) return [];
    if ('text' in piece) return [Buffer.from(piece.text).subarray(from, to)];
    return [{ start: piece.start + from, end: piece.start + to }];
  });
}

async function* readPieces(
  store: ObjectStore,
  sha256: string,
  pieces: (LogPiece | Buffer)[],
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else if ('text' in piece) yield Buffer.from(piece.text);
    else yield* store.read(sha256, { start: piece.start, end: piece.end - 1 }) as AsyncIterable<Uint8Array>;
  }
}
