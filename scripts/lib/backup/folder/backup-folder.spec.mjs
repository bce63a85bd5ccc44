import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { beginBackup, deleteOldBackups, findBackup, isInside } from './backup-folder.mjs';

const root = mkdtempSync(join(tmpdir(), 'backup-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

/** @param {string[]} files */
function makeFolder(...files) {
  const folder = mkdtempSync(join(root, 'f-'));
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '{}');
  }
  return folder;
}

const OLD = '2026-01-02T03-04-05Z/manifest.json';
const NEW = '2026-02-02T03-04-05Z/manifest.json';
const INTERRUPTED = '2026-03-02T03-04-05Z.unfinished/tables/x';

describe('findBackup', () => {
  it('finds the newest finished backup, or the one that is named', () => {
    const folder = makeFolder(OLD, NEW, INTERRUPTED);
    expect(findBackup(folder)).toBe(join(folder, NEW, '..'));
    expect(findBackup(join(folder, OLD, '..'))).toBe(join(folder, OLD, '..'));
  });

  it('refuses a folder without a backup, and names what was interrupted', () => {
    expect(() => findBackup(makeFolder('notes.txt'))).toThrow('contains no backup. Pass the folder');
    const folder = makeFolder(INTERRUPTED);
    expect(() => findBackup(folder)).toThrow('2026-03-02T03-04-05Z.unfinished was interrupted');
    expect(() => findBackup(join(folder, '2026-03-02T03-04-05Z.unfinished'))).toThrow('was interrupted');
    expect(() => findBackup(join(root, 'none'))).toThrow('does not exist');
  });
});

describe('beginBackup', () => {
  it('refuses a folder with other files', () => {
    expect(() => beginBackup(makeFolder('notes.txt'))).toThrow('contains other files (notes.txt)');
  });

  it('makes a folder that is no backup until it is finished, and then removes interrupted ones', () => {
    const folder = makeFolder(OLD, INTERRUPTED);
    const { folder: draft, finish, sources } = beginBackup(folder);
    expect(sources).toEqual([join(folder, '2026-03-02T03-04-05Z.unfinished'), join(folder, OLD, '..')]);
    expect(findBackup(folder)).toBe(join(folder, OLD, '..'));
    writeFileSync(join(draft, 'manifest.json'), '{}');
    const final = finish();
    expect(findBackup(folder)).toBe(final);
    expect(readdirSync(folder)).toHaveLength(2);
  });
});

describe('deleteOldBackups', () => {
  it('keeps the newest backups, and everything that is no finished backup', () => {
    const folder = makeFolder(OLD, NEW, '2026-02-03T00-00-00Z/manifest.json', INTERRUPTED);
    expect(deleteOldBackups(folder, 2)).toEqual([join(folder, OLD, '..')]);
    expect(readdirSync(folder)).toEqual([
      '2026-02-02T03-04-05Z',
      '2026-02-03T00-00-00Z',
      '2026-03-02T03-04-05Z.unfinished',
    ]);
    expect(deleteOldBackups(folder, 2)).toEqual([]);
  });
});

describe('isInside', () => {
  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b/c', '/a/b', true],
    ['/a/bc', '/a/b', false],
    ['/a', '/a/b', false],
  ])('%s in %s: %s', (path, folder, expected) => expect(isInside(path, folder)).toBe(expected));
});
