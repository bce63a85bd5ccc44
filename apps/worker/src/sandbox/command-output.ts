import * as fs from 'node:fs';
import { SANDBOX_SESSION_LIMITS } from '@millrace/contracts/runs/sandbox';
import { openRegular } from '@millrace/storage/disk/open-regular';

const PART_BYTES = 256 * 1024;
const { O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** The next part of a command's output. Follows no links and does not block on pipes: a command can replace its log by anything. */
export function readOutputChunk(path: string, offset: number): Buffer {
  return (
    withFile(path, (descriptor, size) => {
      const length = Math.min(PART_BYTES, Math.min(size, SANDBOX_SESSION_LIMITS.outputBytes) - offset);
      const chunk = Buffer.allocUnsafe(Math.max(0, length));
      return chunk.subarray(0, fs.readSync(descriptor, chunk, 0, chunk.length, offset));
    }) ?? Buffer.alloc(0)
  );
}

/**
 * Moves the output of a command to another file, and cuts it at the limit of a session.
 * @returns whether it was cut
 */
export function moveOutput(from: string, to: string): boolean {
  if (withFile(from, () => true) === null) return false;
  fs.renameSync(from, to);
  // It is opened at its new path, which commands cannot reach: a command that is being killed may still write.
  const descriptor = fs.openSync(to, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const isLonger = fs.fstatSync(descriptor).size > SANDBOX_SESSION_LIMITS.outputBytes;
    if (isLonger) fs.ftruncateSync(descriptor, SANDBOX_SESSION_LIMITS.outputBytes);
    return isLonger;
  } finally {
    fs.closeSync(descriptor);
  }
}

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
