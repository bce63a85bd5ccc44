/**
 * Yields the chunks of a stream, because not all browsers can iterate a `ReadableStream`.
 * @param silenceTimeoutMs fails a stream that sends nothing for this long
 */
export async function* iterateStream(
  stream: ReadableStream<Uint8Array>,
  silenceTimeoutMs?: number,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const reading = reader.read();
      const { done, value } = await (silenceTimeoutMs === undefined ? reading : withTimeout(silenceTimeoutMs, reading));
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The connection was silent for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
