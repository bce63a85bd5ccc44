import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import type { ObjectStore } from '@millrace/storage/object-store';
import { addZip64End } from './add-zip64-end.js';
import { startAhead } from './start-ahead.js';

export interface ArchivedFile {
  /** Path inside the archive. */
  path: string;
  sha256: string;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
}

/** A smaller file is read at once, and ahead of its turn: with an object server, each read takes some milliseconds. */
const MAX_SMALL_FILE_BYTES = 64 * 1024;
const FILES_AHEAD = 8;

/**
 * Writes stored objects as a zip archive while it is read: one file after another, in chunks. Only the directory at the end of
 * the archive is in memory, some hundred bytes for each file. The stream fails if a file cannot be read.
 *
 * Files are stored, not compressed. Deflate takes 20 to 30 seconds of CPU for a gigabyte, and the gateway serves everyone else on
 * the same cores; a checksum takes two. Many outputs are compressed already.
 */
export function writeArchive(store: ObjectStore, files: AsyncIterable<ArchivedFile>): Readable {
  let count = 0;
  const counted = async function* () {
    for await (const file of openFiles(store, files)) {
      count += 1;
      yield file;
    }
  };
  // makeZip opens files when it is called, so it is called when the archive is read: otherwise they could stay open.
  const zip = async function* () {
    yield* makeZip(counted()) as unknown as AsyncIterable<Uint8Array>;
  };
  return Readable.from(
    addZip64End(zip(), () => count),
    { objectMode: false },
  );
}

type Content = Buffer | Readable;

async function* openFiles(store: ObjectStore, files: AsyncIterable<ArchivedFile>) {
  let content: Content | undefined;
  try {
    for await (const { file, small } of startAhead(files, FILES_AHEAD, (one) => readIfSmall(store, one))) {
      content = small === null ? store.read(file.sha256) : await small;
      yield { name: file.path, lastModified: new Date(file.modified), input: checkSize(content, file) };
    }
  } finally {
    // The reader of the archive may have gone away in the middle of a file.
    if (content instanceof Readable) content.destroy();
  }
}

function readIfSmall(store: ObjectStore, file: ArchivedFile): { file: ArchivedFile; small: Promise<Buffer> | null } {
  if (file.size > MAX_SMALL_FILE_BYTES) return { file, small: null };
  const small = store.readAll(file.sha256);
  // Its error is handled at its turn, which never comes if an earlier file fails.
  small.catch(() => undefined);
  return { file, small };
}

/** Without this check, a stored object that lost its end would be in the archive as if it were complete. */
async function* checkSize(content: Content, { path, size }: ArchivedFile): AsyncGenerator<Uint8Array, void> {
  let read = 0;
  for await (const chunk of content instanceof Readable ? (content as AsyncIterable<Buffer>) : [content]) {
    read += chunk.length;
    if (chunk.length > 0) yield chunk;
  }
  if (read !== size) throw new Error(`The stored content of ${path} has ${read} bytes instead of ${size}.`);
}
