import type { Dir } from 'node:fs';
import * as fsp from 'node:fs/promises';
import { join } from 'node:path';
import { LIST_PAGE_SIZE, type ListedObject } from '../object-store.js';

/** The rest of a hash, after the two digits that name the folder. */
const OBJECT_NAME = /^[0-9a-f]{62}$/;

/** Lists the objects in one folder of a `DiskStore`. A folder can have many, so it is never read as a whole. */
export async function* listFolder(folder: string, digits: string): AsyncGenerator<ListedObject[]> {
  const entries = await openFolder(folder);
  if (!entries) return;
  let page: ListedObject[] = [];
  for await (const { name } of entries) {
    const object = OBJECT_NAME.test(name) ? await describeObject(join(folder, name), `${digits}${name}`) : null;
    if (object) page.push(object);
    if (page.length < LIST_PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Null if no object was ever stored in the folder. */
const openFolder = (folder: string): Promise<Dir | null> =>
  fsp.opendir(folder, { bufferSize: 256 }).catch(ignoreMissing);

/** The time of the last change of the inode: an adopted file keeps the modification time that its step gave it. */
async function describeObject(path: string, sha256: string): Promise<ListedObject | null> {
  const entry = await fsp.stat(path).catch(ignoreMissing);
  return entry && { sha256, size: entry.size, storedAt: entry.ctime };
}

function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
