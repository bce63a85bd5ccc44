/** In bytes. Postgres sends 8 KiB at once, and a step of a stream costs as much as hashing that. */
const MIN_PIECE_BYTES = 256 * 1024;

/** The same bytes in pieces that are large enough. */
export async function* joinPieces(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < MIN_PIECE_BYTES) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}
