/** Stands before each row where they are to be one array, since only the first is known to be the first. */
export const SEPARATOR = ',';

/** Makes one array of rows of which each is a line that begins with `SEPARATOR`. */
export async function* writeJson(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from('[\n');
  let isFirst = true;
  for await (const piece of lines) {
    yield isFirst ? piece.subarray(SEPARATOR.length) : piece;
    isFirst = false;
  }
  yield Buffer.from(']\n');
}
