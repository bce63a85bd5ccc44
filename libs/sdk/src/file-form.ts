type Bytes = Uint8Array<ArrayBuffer>;

export interface FileForm {
  contentType: string;
  /** The whole body with the file's bytes in their place: a Blob around a Blob, a stream around a stream. */
  around(file: Blob | ReadableStream<Uint8Array>): Blob | ReadableStream<Uint8Array>;
}

/**
 * A form with the fields `path` and `file`, in this order, as RFC 7578 has it. Written by hand since `FormData` takes no
 * streams, and the server must know the path before the first byte of the file.
 */
export function fileForm(path: string, boundary: string): FileForm {
  const name = path.split('/').at(-1) ?? path;
  const encoder = new TextEncoder();
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="path"\r\n\r\n${path}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeName(name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    around: (file) => (file instanceof Blob ? new Blob([head, file, tail]) : surround(head, file, tail)),
  };
}

/** What browsers do to a file name in a form (WHATWG HTML, "multipart/form-data encoding algorithm"). */
const escapeName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function surround(head: Bytes, file: ReadableStream<Uint8Array>, tail: Bytes): ReadableStream<Uint8Array> {
  return file.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(head),
      flush: (controller) => controller.enqueue(tail),
    }),
  );
}
