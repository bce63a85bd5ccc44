import type { CoreClient } from './core.js';
import { files } from './generated/operations.js';
import type { File as StoredFile } from './generated/types.js';
import type { UploadOptions } from './method-options.js';
import { randomId } from './random-id.js';
import { toContent, type UploadSource } from './upload-source.js';

/** The server responds when it has received the last byte, so an upload has a far longer timeout than a call. */
export const UPLOAD_TIMEOUT_MS = 60 * 60_000;

/** Sends a file as `multipart/form-data` without loading it into memory. */
export async function uploadFile(
  client: CoreClient,
  path: string,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<StoredFile> {
  const form = fileForm(path, randomId());
  const { body, isSingleUse, streamSize, reportEnd } = toContent(source, options.onProgress);
  const stored = await client.sendContent(files.upload, options, {
    headers: {
      'content-type': form.contentType,
      ...(streamSize !== null && { 'content-length': String(streamSize + form.overhead) }),
    },
    body: () => form.around(body()),
    isSingleUse,
    // A second attempt stores the same bytes under the same path.
    isRepeatable: !isSingleUse,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  reportEnd();
  return stored as StoredFile;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface FileForm {
  contentType: string;
  /** Bytes of the body besides those of the file. */
  overhead: number;
  /** Builds the body around the file's bytes: a Blob from a Blob, a stream from a stream. */
  around(file: Blob | ReadableStream<Uint8Array>): Blob | ReadableStream<Uint8Array>;
}

/**
 * A form with the fields `path` and `file`, in this order, in the format of RFC 7578. `FormData` cannot be used, because it
 * takes no streams. The server must know the path before it receives the first byte of the file.
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
    overhead: head.length + tail.length,
    around: (file) => (file instanceof Blob ? new Blob([head, file, tail]) : surround(head, file, tail)),
  };
}

/** Escapes a file name as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"). */
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
