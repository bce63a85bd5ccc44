/**
 * The chunks of a stream. Browsers cannot iterate a `ReadableStream` yet.
 * @param idleMs a stream that says nothing for so long is taken for dead
 */
export async function* iterateStream(stream: ReadableStream<Uint8Array>, idleMs?: number): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = idleMs === undefined ? await reader.read() : await within(idleMs, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The connection was silent for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
