/** Bytes that were transferred so far. `total` is null if it is unknown. */
export interface Progress {
  loaded: number;
  total: number | null;
}

/** Passes a stream on, and reports its bytes. */
export function reportProgress(
  stream: ReadableStream<Uint8Array>,
  total: number | null,
  report: (progress: Progress) => void,
): ReadableStream<Uint8Array> {
  let loaded = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        controller.enqueue(chunk);
        report({ loaded, total });
      },
    }),
  );
}
