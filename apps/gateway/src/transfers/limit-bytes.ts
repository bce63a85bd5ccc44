/** The same bytes, up to `most` of them; beyond that it fails with `problem`. */
export async function* limited(
  content: AsyncIterable<Buffer>,
  most: number,
  problem: () => Error,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > most) throw problem();
    yield chunk;
  }
}
