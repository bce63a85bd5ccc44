import * as fs from 'node:fs';
import { SANDBOX_BOUNDS } from '@millrace/contracts/runs/sandbox';
import { openRegular } from '@millrace/storage/open-regular';

const PART_BYTES = 256 * 1024;

/** The next part of what a command has printed. It can put anything in the place of its log: no links, no waiting for pipes. */
export function readPrinted(path: string, offset: number): Buffer {
  return (
    withFile(path, (descriptor, size) => {
      const length = Math.min(PART_BYTES, Math.min(size, SANDBOX_BOUNDS.outputBytes) - offset);
      const chunk = Buffer.allocUnsafe(Math.max(0, length));
      return chunk.subarray(0, fs.readSync(descriptor, chunk, 0, chunk.length, offset));
    }) ?? Buffer.alloc(0)
  );
}

export const isTooLong = (path: string): boolean =>
  withFile(path, (_, size) => size > SANDBOX_BOUNDS.outputBytes) ?? false;

function withFile<T>(path: string, use: (descriptor: number, size: number) => T): T | null {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      return use(descriptor, size);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
