/** The first bytes of a stream, as many as asked for or all there are, and the whole of it. */
export async function peek(
  chunks: AsyncGenerator<Buffer>,
  wanted: number,
): Promise<{ beginning: Buffer; all: AsyncGenerator<Buffer> }> {
  const held: Buffer[] = [];
  let length = 0;
  while (length < wanted) {
    const next: IteratorResult<Buffer, unknown> = await chunks.next();
    if (next.done === true) break;
    held.push(next.value);
    length += next.value.length;
  }
  const beginning = Buffer.concat(held);
  return { beginning, all: resume(beginning, chunks) };
}

async function* resume(beginning: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield beginning;
  yield* rest;
}
