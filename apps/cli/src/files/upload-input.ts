import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ByteStream, MillraceClient } from '@millrace/client';
import { CliError } from '../cli-error.js';
import { formatCount } from '../format-count.js';
import { listLocalFiles } from './list-local-files.js';
import type { InputUploader } from './resolve-inputs.js';
import { transferAll } from './transfer-all.js';

/**
 * Creates an uploader to the path `cli/<start of the sha256>/<name>`. It does not upload a file that is already stored. The hash
 * of a folder covers the paths and the contents of its files, so two states of a folder have different paths.
 */
export function createUploader(client: MillraceClient, note: (line: string) => void): InputUploader {
  async function store(name: string, sha256: string, source: Blob | (() => ByteStream)): Promise<string> {
    const path = `cli/${sha256.slice(0, 16)}/${name}`;
    if ((await findStored(client, path)).get(path) !== sha256) {
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
    async folder(path) {
      const files = await hashFolder(path);
      const name = basename(resolve(path));
      const target = `cli/${hashText(JSON.stringify(files.map(({ path, sha256 }) => [path, sha256]))).slice(0, 16)}/${name}`;
      const stored = await findStored(client, target);
      const missing = files.filter((file) => stored.get(`${target}/${file.path}`) !== file.sha256);
      if (missing.length > 0) note(`Uploading ${name}/ (${formatCount(missing.length, 'file')})`);
      await transferAll(missing, async ({ path, file }) => {
        await client.files.upload(`${target}/${path}`, () => openFile(file));
      });
      return `millrace://file/${target}`;
    },
    async lines(name, lines) {
      const text = lines.map((line) => `${line}\n`).join('');
      return store(name, hashText(text), new Blob([text]));
    },
  };
}

/** The files at and below a path, with their hashes. */
async function findStored(client: MillraceClient, path: string): Promise<Map<string, string>> {
  const stored = new Map<string, string>();
  for await (const file of client.files.list({ path, ordering: 'path' })) stored.set(file.path, file.sha256);
  return stored;
}

async function requireFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) throw new CliError(`The file ${path} does not exist.`);
  if (stats.isDirectory()) throw new CliError(`${path} is a folder, and this input takes a file.`);
  if (!stats.isFile()) throw new CliError(`${path} is not a file.`);
}

interface LocalFile {
  /** Path in the folder. */
  path: string;
  file: string;
  sha256: string;
}

/** Lists the files of a folder, sorted by path. */
async function hashFolder(folder: string): Promise<LocalFile[]> {
  const stats = await stat(folder).catch(() => null);
  if (stats === null) throw new CliError(`The folder ${folder} does not exist.`);
  if (!stats.isDirectory()) throw new CliError(`${folder} is a file, and this input takes a folder.`);
  const files: LocalFile[] = [];
  for await (const { path, file } of listLocalFiles(folder)) files.push({ path, file, sha256: await hashFile(file) });
  if (files.length === 0) throw new CliError(`The folder ${folder} contains no files.`);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const openFile = (path: string): ByteStream => Readable.toWeb(createReadStream(path)) as ByteStream;
