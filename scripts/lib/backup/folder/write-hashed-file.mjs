import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Size and SHA-256 of a file. @typedef {{ bytes: number, sha256: string }} FileSum */

/**
 * Writes a new file that only this user may read, and syncs it to the disk.
 * @param {string} path
 * @param {(NodeJS.ReadableStream | NodeJS.ReadWriteStream)[]} content a stream, and transformations of it
 * @param {{ flush?: boolean }} [options]
 * @returns {Promise<FileSum>}
 */
export async function writeHashedFile(path, content, { flush = true } = {}) {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = async function* (/** @type {AsyncIterable<Buffer>} */ chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush });
  await pipeline(/** @type {any} */ ([...content, measure, file]));
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * @param {string} path
 * @returns {Promise<FileSum>}
 */
export async function hashFile(path) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
