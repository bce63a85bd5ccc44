import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { type ArchivedFile, writeArchive } from './write-archive.js';

/** Reads an archive by its directory, and checks the checksum of each file. */
const LIST = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[e.filename, e.file_size, e.compress_type, e.date_time] for e in archive.infolist()]))`;

/** The number of files in the directory, and in the end record, which many readers compare. */
const COUNT = `
import json, sys, zipfile
print(json.dumps([len(zipfile.ZipFile(sys.argv[1]).infolist()), zipfile._EndRecData(open(sys.argv[1], 'rb'))[4]]))`;

type Entry = [name: string, size: number, method: number, time: number[]];

let folder: string;
let store: DiskStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-archive-'));
  store = new DiskStore(join(folder, 'store'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function storeFile(path: string, content: Uint8Array): Promise<ArchivedFile> {
  const { sha256, size } = await store.put(content);
  return { path, sha256, size, modified: new Date(2026, 0, 2, 3, 4, 6).getTime() };
}

async function readBack(files: AsyncIterable<ArchivedFile>): Promise<Entry[]> {
  const file = join(folder, 'archive.zip');
  await pipeline(writeArchive(store, files), createWriteStream(file));
  const { stdout } = await promisify(execFile)('python3', ['-c', LIST, file], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Entry[];
}

const list = (...files: ArchivedFile[]) => Readable.from(files) as AsyncIterable<ArchivedFile>;

describe('an archive', () => {
  it('has each file with its content, its name in UTF-8 and its time', async () => {
    const large = Buffer.alloc(300_000, 'large');
    const names = ['report/Größe 📦 مرحبا <b>.txt', '1-x/empty', 'x/large.bin'];
    const contents = [Buffer.from('small'), Buffer.alloc(0), large];
    const files = await Promise.all(names.map((name, at) => storeFile(name, contents[at] ?? large)));
    expect(await readBack(list(...files))).toEqual(
      names.map((name, at) => [name, contents[at]?.length, 0, [2026, 1, 2, 3, 4, 6]]),
    );
  });

  it('can have more than 65,535 files', async () => {
    const one = await storeFile('one', Buffer.from('1'));
    // The disk is not what this is about, and takes most of the time.
    jest.spyOn(store, 'readAll').mockResolvedValue(Buffer.from('1'));
    const many = async function* () {
      for (let n = 0; n < 66_000; n++) yield { ...one, path: `many/${n}` };
    };
    const zip = join(folder, 'many.zip');
    await pipeline(writeArchive(store, many()), createWriteStream(zip));
    const { stdout } = await promisify(execFile)('python3', ['-c', COUNT, zip]);
    expect(JSON.parse(stdout)).toEqual([66_000, 66_000]);
  });

  it('breaks off if a file is missing, or is shorter than it was', async () => {
    const [good, large] = [
      await storeFile('good', Buffer.from('good')),
      await storeFile('large', Buffer.alloc(200_000)),
    ];
    for (const bad of [
      { ...good, sha256: 'f'.repeat(64) },
      { ...large, sha256: 'e'.repeat(64) },
      { ...large, size: 300_000 },
    ]) {
      await expect(readBack(list(good, bad))).rejects.toThrow();
    }
  });

  it('stops listing and reading files when its reader goes away', async () => {
    const large = await storeFile('large', Buffer.alloc(500_000));
    let listed = 0;
    let hasEnded = false;
    const endless = async function* () {
      try {
        for (;;) {
          listed += 1;
          yield { ...large, path: `${listed}` };
        }
      } finally {
        hasEnded = true;
      }
    };
    const archive = writeArchive(store, endless());
    for await (const chunk of archive) if ((chunk as Buffer).length > 30_000) break;
    // The source is closed after the destruction of the stream.
    for (let tries = 0; tries < 100 && !hasEnded; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect([hasEnded, archive.destroyed]).toEqual([true, true]);
    expect(listed).toBeLessThan(20);
  });
});
