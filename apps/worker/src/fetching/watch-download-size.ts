import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EgressError } from '@millrace/egress/requests/egress-error';

const CHECK_INTERVAL_MS = 100;
/** The folder is measured at every fifth check, or if much more was received than it contains. */
const CHECKS_PER_MEASUREMENT = 5;
/** In the end the folder contains the repository twice: packed, and as files. */
const COPIES = 2;
/** Limit for data that git stores in memory, such as the list of branches: 500,000 of them have about 40 MB. */
export const MAX_UNSAVED_BYTES = 64 * 2 ** 20;

/** A download: git writes what it receives to the folder. */
export interface WatchedDownload {
  folder: string;
  /** Bytes received so far. */
  received: () => number;
}

/**
 * Watches a download, and reports once if it has more than `maxBytes`, or if more than `MAX_UNSAVED_BYTES` of it were not
 * written to the folder.
 * @returns a function that ends the watch
 */
export function watchDownloadSize(
  watched: WatchedDownload,
  maxBytes: number,
  reportFailure: (error: EgressError) => void,
): () => Promise<void> {
  const end = new AbortController();
  const watch = async () => {
    let size = 0;
    for (let check = 0; !end.signal.aborted; check += 1) {
      const received = watched.received();
      if (check % CHECKS_PER_MEASUREMENT === 0 || received - size > MAX_UNSAVED_BYTES)
        size = await sizeOf(watched.folder, COPIES * maxBytes);
      if (size > COPIES * maxBytes || received > maxBytes)
        return reportFailure(new EgressError(`it is larger than ${maxBytes} bytes`));
      if (received - size > MAX_UNSAVED_BYTES)
        return reportFailure(
          new EgressError(`the server sent more than ${MAX_UNSAVED_BYTES} bytes that do not belong to a repository`),
        );
      await sleep(CHECK_INTERVAL_MS, undefined, { signal: end.signal }).catch(() => undefined);
    }
  };
  const watching = watch();
  return async () => {
    end.abort();
    await watching;
  };
}

/** Bytes in a folder; stops counting above `limit`. Files that are deleted in the meantime do not count. */
async function sizeOf(folder: string, limit: number): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (size > limit) break;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) size += await sizeOf(path, limit - size);
    else size += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return size;
}
