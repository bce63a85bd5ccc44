import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { type FileRef } from '@millrace/contracts/runs/files';
import { wipeFolder } from '@millrace/isolation/folders/wipe-folder';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { type ObjectStore } from '@millrace/storage/object-store';
import { InputLayout } from '../inputs/input-layout.js';
import { collectOutputs } from '../outputs/collect-outputs.js';
import {
  type BulkResponse,
  type BulkMessage,
  type BulkRequest,
  type BulkResults,
  type BulkThreadData,
} from './bulk-request.js';

const { storage, cache } = workerData as BulkThreadData;
const port = parentPort as MessagePort;
const opened: Promise<ObjectStore> = openThreadStore();
let abort = new AbortController();
let layout: InputLayout | null = null;
let collected: FileRef[] = [];
let sent = 0;

type Handlers = {
  [K in BulkRequest['kind']]: (request: Extract<BulkRequest, { kind: K }>) => Promise<BulkResults[K]>;
};

const handlers: Handlers = {
  async beginLayout({ folder, isReadOnly }) {
    const target = {
      folder,
      isReadOnly,
      makeFolder: (path: string) => mkdirSync(path),
      writeFile: (path: string, content: Uint8Array) => writeFile(path, content, { flag: 'wx' }),
    };
    layout = new InputLayout(target, await opened);
  },
  async layOut({ entries }) {
    for (const entry of entries) await layout?.add(entry);
  },
  async collect({ folder, commandPath, maxBytes }) {
    const outputs = await collectOutputs(folder, commandPath, { store: await opened, maxBytes, signal: abort.signal });
    [collected, sent] = [outputs.files, 0];
    return { ignored: outputs.ignored, emptied: outputs.emptied };
  },
  async nextFiles({ limit }) {
    const files = collected.slice(sent, sent + limit);
    sent += files.length;
    if (files.length === 0) collected = [];
    return files;
  },
  adopt: async ({ path }) => (await opened).adopt(path, { signal: abort.signal }),
  wipe: ({ folder, retained }) => wipeFolder(folder, retained),
};

/** Loads the client of remote stores only if it is needed, because that takes 300 ms. */
async function openThreadStore(): Promise<ObjectStore> {
  if (!storage.STORAGE_URL) return new DiskStore(storage.STORAGE_DIR);
  const { openStore } = await import('@millrace/storage/open-store');
  return openStore(storage, cache);
}

async function handle(request: BulkRequest): Promise<BulkResponse> {
  try {
    return { value: await (handlers[request.kind] as (request: BulkRequest) => Promise<unknown>)(request) };
  } catch (error) {
    if (!(error instanceof Error)) return { error: { name: 'Error', message: String(error) } };
    const { name, message, stack } = error;
    return { error: { name, message, ...(stack !== undefined && { stack }) } };
  }
}

port.on('message', (message: BulkMessage) => {
  if ('abort' in message) return abort.abort();
  abort = new AbortController();
  void handle(message.request).then((response) => port.postMessage(response));
});
