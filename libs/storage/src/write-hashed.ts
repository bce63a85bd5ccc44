import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import type { StoredObject } from './object-store.js';

/** Writes a stream to a new file and hashes it on its way; one piece of it is in memory at a time. */
export async function writeHashed(content: AsyncIterable<Uint8Array>, path: string): Promise<StoredObject> {
  const sum = createHash('sha256');
  let size = 0;
  const file = await fsp.open(path, 'wx');
  try {
    for await (const chunk of content) {
      sum.update(chunk);
      size += chunk.byteLength;
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { sha256: sum.digest('hex'), size };
}

/** SHA-256 of a whole open file, in hexadecimal digits. */
export async function hashDescriptor(descriptor: number): Promise<string> {
  const sum = createHash('sha256');
  const stream = fs.createReadStream('', { fd: descriptor, autoClose: false, start: 0, highWaterMark: 1 << 20 });
  for await (const chunk of stream) sum.update(chunk as Buffer);
  return sum.digest('hex');
}
