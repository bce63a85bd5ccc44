import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EgressError } from '@millrace/egress/egress-error';

const EVERY_MS = 500;
/** A repository lies there twice at the end: packed, and as files. */
const COPIES = 2;

/**
 * Looks after a folder that somebody else fills, and tells when it has outgrown its bound.
 * @returns ends the watch
 */
export function watchSize(folder: string, maxBytes: number, tell: (error: EgressError) => void): () => Promise<void> {
  let isOver = false;
  let wake: () => void = () => undefined;
  const watch = async () => {
    while (!isOver) {
      const size = await sizeOf(folder, COPIES * maxBytes);
      if (size > COPIES * maxBytes) return tell(new EgressError(`it is larger than ${maxBytes} bytes`));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, EVERY_MS);
        wake = () => (clearTimeout(timer), resolve());
      });
    }
  };
  const watching = watch();
  return async () => {
    isOver = true;
    wake();
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
