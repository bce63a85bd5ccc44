import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { ByteStream, MillraceClient } from '@millrace/client';
import { CliError } from '../cli-error.js';
import type { InputUploader } from './resolve-inputs.js';

/** Creates an uploader to the path `cli/<start of the sha256>/<name>`. It does not upload a file that is already stored. */
export function createUploader(client: MillraceClient, note: (line: string) => void): InputUploader {
  async function store(name: string, sha256: string, source: Blob | (() => ByteStream)): Promise<string> {
    const path = `cli/${sha256.slice(0, 16)}/${name}`;
    if (!(await isStored(client, path, sha256))) {
      note(`Uploading ${name}`);
      await client.files.upload(path, source);
    }
    return `millrace://file/${path}`;
  }
  return {
    async file(path) {
      await requireFile(path);
      return store(basename(path), await hashFile(path), () => openFile(path));
    },
    async lines(name, lines) {
      const text = lines.map((line) => `${line}\n`).join('');
      return store(name, createHash('sha256').update(text).digest('hex'), new Blob([text]));
    },
  };
}

async function isStored(client: MillraceClient, path: string, sha256: string): Promise<boolean> {
  const { results } = await client.files.list({ path });
  return results.some((file) => file.path === path && file.sha256 === sha256);
}

async function requireFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) throw new CliError(`The file ${path} does not exist.`);
  if (!stats.isFile())
    throw new CliError(`${path} is not a file. To send a folder, pack it first: tar cf folder.tar …`);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const openFile = (path: string): ByteStream => Readable.toWeb(createReadStream(path)) as ByteStream;
