import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TarGuard, TarLimitError, TarRefusedError } from './tar-guard.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-tar-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const LIMITS = { bytes: 1_000_000, entries: 100 };
const pack = (...options: string[]): Buffer =>
  execFileSync('tar', ['--create', '--format=gnu', ...options, '--directory', folder, '.']);

/** Passes an archive in pieces of a size that fits no block. */
async function guard(archive: Buffer, limits = LIMITS): Promise<Buffer> {
  const pieces = [];
  for (let at = 0; at < archive.length; at += 700) pieces.push(archive.subarray(at, at + 700));
  const guarded = new TarGuard(limits);
  return buffer(Readable.from(pieces).pipe(guarded));
}

/** A header with the right checksum. */
function header(type: string, size: string, name = 'x'): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000644\0', 100);
  block.write(size, 124, 'latin1');
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar  \0', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
const END = Buffer.alloc(1024);
const NONE = '00000000000\0';

describe('TarGuard', () => {
  it('passes on what tar makes of files, folders, links, pipes and long names', async () => {
    mkdirSync(join(folder, 'd'));
    writeFileSync(join(folder, 'd', 'n'.repeat(200)), 'content');
    symlinkSync(`/${'t'.repeat(200)}`, join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'ünï'), Buffer.alloc(100_000, 1));
    const archive = pack();
    expect((await guard(archive)).equals(archive)).toBe(true);
  });

  it('counts bytes and entries', async () => {
    for (let file = 0; file < 20; file += 1) writeFileSync(join(folder, String(file)), Buffer.alloc(1000));
    const archive = pack();
    await expect(guard(archive, { bytes: 19_000, entries: 100 })).rejects.toMatchObject({ limit: 'disk' });
    await expect(guard(archive, { bytes: 1_000_000, entries: 20 })).rejects.toThrow(TarLimitError);
    await expect(guard(archive, { bytes: 20_000, entries: 21 })).resolves.toBeDefined();
  });

  it('refuses hard links, sparse files and extended headers', async () => {
    writeFileSync(join(folder, 'a'), 'x');
    linkSync(join(folder, 'a'), join(folder, 'b'));
    await expect(guard(pack())).rejects.toThrow(/type "1"/);
    rmSync(join(folder, 'b'));
    await expect(guard(pack('--format=posix'))).rejects.toThrow(/type "x"/);
    truncateSync(join(folder, 'a'), 10_000_000);
    await expect(guard(pack('--sparse'))).rejects.toThrow(/type "S"/);
  });

  it.each([
    ['a device', Buffer.concat([header('3', NONE), END])],
    ['a wrong checksum', Buffer.concat([header('0', NONE).fill('7', 0, 1), END])],
    ['a size of a folder', Buffer.concat([header('5', '00000001000\0'), END])],
    ['a size that is no number', Buffer.concat([header('0', '-0000000001\0'), END])],
    [
      'a size beyond all numbers',
      Buffer.concat([header('0', '\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff'), END]),
    ],
    ['something behind its end', Buffer.concat([header('0', NONE), END, header('0', NONE)])],
    ['no end', header('0', NONE)],
    ['half a header', Buffer.concat([header('0', NONE), END, Buffer.alloc(100)])],
    ['nothing', Buffer.alloc(0)],
  ])('refuses an archive with %s', async (_title, archive) => {
    await expect(guard(archive)).rejects.toThrow(TarRefusedError);
  });
});
