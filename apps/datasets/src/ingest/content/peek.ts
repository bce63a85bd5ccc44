/**
 * Reads at least `count` bytes from the start of a stream, or all of it if it is shorter. A failure during the read is
 * thrown by `all`, behind the bytes before it.
 * @returns the bytes, and a stream of everything including them
 */
export async function peek(
  chunks: AsyncGenerator<Buffer>,
  count: number,
): Promise<{ beginning: Buffer; all: AsyncGenerator<Buffer> }> {
  const peeked: Buffer[] = [];
  let length = 0;
  let failure: { error: unknown } | null = null;
  try {
    while (length < count) {
      const next: IteratorResult<Buffer, unknown> = await chunks.next();
      if (next.done === true) break;
      peeked.push(next.value);
      length += next.value.length;
    }
  } catch (error) {
    failure = { error };
  }
  const beginning = Buffer.concat(peeked);
  return { beginning, all: resume(beginning, failure, chunks) };
}

async function* resume(
  beginning: Buffer,
  failure: { error: unknown } | null,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  yield beginning;
  if (failure) throw failure.error;
  yield* rest;
}
