import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InodePool } from './inode-pool.js';
import { wipeFolder } from './wipe-folder.js';

let folder: string;
let pool: InodePool;
const at = (path: string) => join(folder, 'in', path);
const inode = (path: string) => fs.statSync(at(path)).ino;
const wipe = () => wipeFolder(join(folder, 'in'), [], pool);

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'millrace-spare-'));
  fs.mkdirSync(join(folder, 'in'));
  pool = new InodePool(join(folder, 'spare'), 3);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('files and folders of a wiped folder', () => {
  it('are used again, without their old content', async () => {
    pool.makeFolder(at('a'));
    pool.makeFolder(at('a/b'));
    await pool.writeFile(at('a/b/c'), Buffer.from('a longer content'));
    const before = [inode('a'), inode('a/b'), inode('a/b/c')];
    await wipe();
    expect(fs.readdirSync(join(folder, 'in'))).toEqual([]);
    pool.makeFolder(at('x'));
    pool.makeFolder(at('y'));
    await pool.writeFile(at('y/z'), Buffer.from('short'));
    expect([inode('x'), inode('y')].sort()).toEqual(before.slice(0, 2).sort());
    expect(inode('y/z')).toBe(before[2]);
    expect(fs.readdirSync(at('x'))).toEqual([]);
    expect(fs.readFileSync(at('y/z'), 'utf8')).toBe('short');
  });

  it('are readable and writable again after a command changed their permissions', async () => {
    fs.mkdirSync(at('locked'));
    fs.writeFileSync(at('locked/file'), 'x');
    fs.chmodSync(at('locked/file'), 0o4000);
    fs.chmodSync(at('locked'), 0);
    await wipe();
    pool.makeFolder(at('folder'));
    await pool.writeFile(at('file'), Buffer.alloc(0));
    expect(fs.statSync(at('folder')).mode & 0o7777).toBe(0o755);
    expect(fs.statSync(at('file'))).toMatchObject({ mode: 0o100644, size: 0 });
  });

  it('are removed if the pool is full', async () => {
    for (const name of ['1', '2', '3', '4', '5']) {
      fs.mkdirSync(at(name));
      fs.writeFileSync(at(`${name}/f`), '');
    }
    await wipe();
    expect(fs.readdirSync(join(folder, 'in'))).toEqual([]);
    expect(fs.readdirSync(join(folder, 'spare'))).toHaveLength(6);
  });

  it('are not used again if they are hard links, large files or symbolic links', async () => {
    const outside = join(folder, 'outside');
    fs.writeFileSync(outside, 'stored');
    fs.linkSync(outside, at('second-name'));
    fs.symlinkSync(outside, at('link'));
    fs.writeFileSync(at('large'), Buffer.alloc(100_000));
    await wipe();
    expect(fs.readdirSync(join(folder, 'in'))).toEqual([]);
    expect(fs.readdirSync(join(folder, 'spare'))).toEqual([]);
    await pool.writeFile(at('new'), Buffer.from('new'));
    expect(fs.readFileSync(outside, 'utf8')).toBe('stored');
  });
});
