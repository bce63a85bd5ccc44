import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { ByteStream, File as StoredFile, MillraceClient } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { CliError, notFound } from '../cli-error.js';
import { confirm } from '../confirm.js';
import { listLocalFiles } from '../files/list-local-files.js';
import { cleanPath, pathBelow } from '../files/stored-paths.js';
import { transferAll } from '../files/transfer-all.js';
import { verified } from '../files/verified.js';
import { isStdout, writeOutput } from '../files/write-output.js';
import { formatBytes } from '../format-bytes.js';
import { formatCount } from '../format-count.js';
import { type Fields, formatTime, printDone, printList, printRecord } from '../print-records.js';
import { TransferProgress } from '../transfer-progress.js';
import { CommandGroup } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'files.list',
  'files.upload',
  'files.download',
  'files.delete',
  'files.usage',
  'folders.list',
  'folders.delete',
];

interface Entry {
  path: string;
  type: 'file' | 'folder';
  size?: number;
  modified_date?: string;
}
const COLUMNS: Fields<Entry> = {
  PATH: ({ path, type }) => (type === 'folder' ? `${path}/` : path),
  SIZE: ({ size }) => (size === undefined ? '' : formatBytes(size)),
  MODIFIED: (entry) => formatTime(entry.modified_date),
};

interface Options {
  json?: boolean;
  recursive?: boolean;
  output?: string;
  yes?: boolean;
}

/** Commands about the files of the vault. */
export function addFiles(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'files', 'list, upload and download files of the vault');
  addLs(group);
  addPut(group);
  addGet(group);
  addRm(group);
  addUsage(group);
}

function addLs(group: CommandGroup): void {
  group
    .add('ls', 'list files and folders', ['files ls', 'files ls lists --recursive'])
    .argument('[path]', 'folder or file', '')
    .option('-r, --recursive', 'with everything below it')
    .action(async (path: string, { json, recursive }: Options) => {
      const client = await group.connect();
      const entries = listEntries(client, cleanPath(path), recursive ?? false);
      await printList(entries, COLUMNS, { json, empty: 'No files.' });
    });
}

async function* listEntries(client: MillraceClient, folder: string, isRecursive: boolean): AsyncGenerator<Entry> {
  const query = folder === '' ? {} : { path: folder };
  if (!isRecursive) {
    for await (const { path } of client.folders.list(query)) yield { path, type: 'folder' };
  }
  for await (const file of client.files.list({ ...query, ordering: 'path' })) {
    const below = file.path === folder ? '' : pathBelow(folder, file.path);
    if (!isRecursive && below.includes('/')) continue;
    yield { path: file.path, type: 'file', size: file.size, modified_date: file.modified_date };
  }
}

function addPut(group: CommandGroup): void {
  group
    .add('put', 'upload a file, or a folder with its files; replaces files of the same path', [
      'files put hosts.txt',
      'files put hosts.txt lists/hosts.txt',
      'files put lists backup/lists',
    ])
    .argument('<local>', 'file or folder on this machine')
    .argument('[path]', 'path of the stored file or folder; with a slash at its end, the folder to put it into')
    .action(async (local: string, path: string | undefined, { json }: Options) => {
      const stats = await stat(local).catch(() => null);
      if (!stats) throw new CliError(`${local} does not exist.`);
      const name = basename(resolve(local));
      const target = cleanPath(path === undefined ? name : path.endsWith('/') ? `${path}${name}` : path);
      if (target === '') throw new CliError('Use a path of the stored file.');
      const client = await group.connect();
      const sources = stats.isDirectory() ? listLocalFiles(local) : [{ path: '', file: local }];
      const stored: StoredFile[] = [];
      const progress = new TransferProgress();
      try {
        await transferAll(sources, async (source) => {
          const place = source.path === '' ? target : `${target}/${source.path}`;
          stored.push(await upload(client, source.file, place, progress));
        });
      } finally {
        progress.end();
      }
      const [only] = stored;
      const size = formatBytes(stored.reduce((sum, file) => sum + file.size, 0));
      const sentence = stats.isDirectory()
        ? `Uploaded ${formatCount(stored.length, 'file')} to ${target} (${size}).`
        : `Uploaded ${target} (${size}). Use it in a workflow as millrace://file/${target}`;
      await printDone(sentence, stats.isDirectory() ? stored : only, { json });
    });
}

async function upload(client: MillraceClient, file: string, path: string, progress: TransferProgress) {
  const { size } = await stat(file);
  const show = progress.of(path);
  const open = () => Readable.toWeb(createReadStream(file)) as ByteStream;
  return client.files.upload(path, open, { onProgress: ({ loaded }) => show({ loaded, total: size }) });
}

function addGet(group: CommandGroup): void {
  group
    .add('get', 'download a file, or a folder with its files', [
      'files get lists/hosts.txt',
      'files get lists/hosts.txt --output hosts-copy.txt',
      'files get lists --output lists-copy',
    ])
    .argument('<path>', 'path of the stored file or folder')
    .option('-o, --output <path>', 'local file or folder (default: its name, in this folder); "-" for standard output')
    .action(async (path: string, { json, output }: Options) => {
      const client = await group.connect();
      const from = cleanPath(path);
      const found = await client.files.list(from === '' ? {} : { path: from }).toArray();
      if (found.length === 0) throw notFound(`No file or folder "${from}" is stored.`);
      const isFile = found.length === 1 && found[0]?.path === from;
      const target = output ?? (basename(from) || 'files');
      if (isStdout(target) && !isFile) throw new CliError('A folder cannot be written to standard output.');
      const progress = new TransferProgress();
      const downloads: { path: string; file: string; size: number }[] = [];
      try {
        await transferAll(found, async (stored) => {
          const file = isFile ? target : join(target, pathBelow(from, stored.path));
          await download(client, stored, file, progress);
          downloads.push({ path: stored.path, file, size: stored.size });
        });
      } finally {
        progress.end();
      }
      if (isStdout(target)) return;
      const size = formatBytes(downloads.reduce((sum, one) => sum + one.size, 0));
      const sentence = isFile
        ? `Wrote ${target} (${size}).`
        : `Wrote ${formatCount(downloads.length, 'file')} to ${target} (${size}).`;
      await printDone(sentence, isFile ? downloads[0] : downloads, { json });
    });
}

async function download(client: MillraceClient, stored: StoredFile, file: string, progress: TransferProgress) {
  const { body } = await client.files.download(stored.id, { onProgress: progress.of(stored.path) });
  await writeOutput(file, verified(body, stored.sha256, file));
}

function addRm(group: CommandGroup): void {
  group
    .add('rm', 'delete a file, or a folder with its files', ['files rm lists/hosts.txt', 'files rm lists -r --yes'])
    .argument('<path>', 'path of the stored file or folder')
    .option('-r, --recursive', 'delete a folder with everything in it')
    .option('-y, --yes', 'do not ask')
    .action(async (path: string, { json, recursive, yes }: Options) => {
      const client = await group.connect();
      const target = cleanPath(path);
      if (target === '') throw new CliError('Use the path of a file or folder.');
      const { results, count } = await client.files.list({ path: target, page_size: 2 });
      const file = results.find((stored) => stored.path === target);
      if (count === 0) throw notFound(`No file or folder "${target}" is stored.`);
      if (!file && !recursive)
        throw new CliError(`"${target}" is a folder. To delete it with everything in it: add --recursive`);
      await confirm(
        file ? `Delete the file "${target}"?` : `Delete the folder "${target}" with its ${formatCount(count, 'file')}?`,
        yes,
      );
      if (file) await client.files.delete(file.id);
      else await client.folders.delete({ path: target });
      await printDone(`Deleted ${target}.`, { path: target, deleted: true }, { json });
    });
}

function addUsage(group: CommandGroup): void {
  group.add('usage', 'show how much storage the vault uses', ['files usage']).action(async ({ json }: Options) => {
    const client = await group.connect();
    const fields: Fields<{ files: number; used_bytes: number; run_bytes: number; quota_bytes: number | null }> = {
      FILES: ({ files }) => files,
      USED: (usage) => formatBytes(usage.used_bytes),
      'OUTPUTS AND LOGS': (usage) => formatBytes(usage.run_bytes),
      QUOTA: (usage) => (usage.quota_bytes === null ? 'none' : formatBytes(usage.quota_bytes)),
    };
    await printRecord(await client.files.usage(), fields, { json });
  });
}
