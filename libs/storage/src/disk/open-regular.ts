import * as fs from 'node:fs';
import { NotARegularFileError } from '../object-store.js';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

export interface OpenFile {
  descriptor: number;
  size: number;
  nlink: number;
}

/** Opens a file without following links and without blocking on a pipe. @throws NotARegularFileError */
export function openRegular(path: string): OpenFile {
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (['ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new NotARegularFileError(path);
    throw error;
  }
  const entry = fs.fstatSync(descriptor);
  if (entry.isFile()) return { descriptor, size: entry.size, nlink: entry.nlink };
  fs.closeSync(descriptor);
  throw new NotARegularFileError(path);
}
