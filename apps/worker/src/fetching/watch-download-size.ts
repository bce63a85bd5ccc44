import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EgressError } from '@millrace/egress/requests/egress-error';

const EVERY_MS = 100;
/** The folder is walked at every fifth look, or where more may have come than lies in it. */
const FOLDER_EVERY = 5;
/** A repository lies there twice at the end: packed, and as files. */
const COPIES = 2;
/** What a server may send that git keeps in memory, such as its list of branches: 500,000 of them are some 40 MB. */
export const MAX_UNSAVED_BYTES = 64 * 2 ** 20;

/** What is watched: a folder that git fills with what it receives. */
export interface Watched {
  folder: string;
  /** Bytes that came in so far. */
  received: () => number;
}

/**
 * Looks after what somebody else brings in, and tells once when it is more than `maxBytes`, or more than `MAX_UNSAVED_BYTES` of it
 * went elsewhere than into the folder.
 * @returns ends the watch
 */
export function watchDownloadSize(
  watched: Watched,
  maxBytes: number,
  reportFailure: (error: EgressError) => void,
): () => Promise<void> {
  const end = new AbortController();
  const watch = async () => {
    let size = 0;
    for (let look = 0; !end.signal.aborted; look += 1) {
      const received = watched.received();
      if (look % FOLDER_EVERY === 0 || received - size > MAX_UNSAVED_BYTES)
        size = await sizeOf(watched.folder, COPIES * maxBytes);
      if (size > COPIES * maxBytes || received > maxBytes)
        return reportFailure(new EgressError(`it is larger than ${maxBytes} bytes`));
      if (received - size > MAX_UNSAVED_BYTES)
        return reportFailure(
          new EgressError(`the server sent more than ${MAX_UNSAVED_BYTES} bytes that do not belong to a repository`),
        );
      await sleep(EVERY_MS, undefined, { signal: end.signal }).catch(() => undefined);
    }
  };
  const watching = watch();
  return async () => {
    end.abort();
    await watching;
  };
}

/** Bytes in a folder, counted no further than past `enough`. What vanishes meanwhile counts nothing. */
async function sizeOf(folder: string, enough: number): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (size > enough) break;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) size += await sizeOf(path, enough - size);
    else size += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return size;
}
