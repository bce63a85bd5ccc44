/**
 * The first bytes of a stream, as many as asked for or all there are, and the whole of it. Where it fails among these, it
 * does so behind them.
 */
export async function peek(
  chunks: AsyncGenerator<Buffer>,
  wanted: number,
): Promise<{ beginning: Buffer; all: AsyncGenerator<Buffer> }> {
  const held: Buffer[] = [];
  let length = 0;
  let failed: { error: unknown } | null = null;
  try {
    while (length < wanted) {
      const next: IteratorResult<Buffer, unknown> = await chunks.next();
      if (next.done === true) break;
      held.push(next.value);
      length += next.value.length;
    }
  } catch (error) {
    failed = { error };
  }
  const beginning = Buffer.concat(held);
  return { beginning, all: resume(beginning, failed, chunks) };
}

async function* resume(
  beginning: Buffer,
  failed: { error: unknown } | null,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  yield beginning;
  if (failed) throw failed.error;
  yield* rest;
}
