/** Passes on at maxBytes `maxBytes` bytes, then throws `error()`. */
export async function* limitBytes(
  content: AsyncIterable<Buffer>,
  maxBytes: number,
  error: () => Error,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maxBytes) throw error();
    yield chunk;
  }
}
