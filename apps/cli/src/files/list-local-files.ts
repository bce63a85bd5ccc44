import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Yields the regular files below a folder, with their paths in it (separated by slashes). Links are not followed. */
export async function* listLocalFiles(folder: string, below = ''): AsyncGenerator<{ path: string; file: string }> {
  for await (const entry of await opendir(join(folder, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listLocalFiles(folder, path);
    else if (entry.isFile()) yield { path, file: join(folder, path) };
  }
}
