import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { beginBackup, deleteOldBackups, findBackup, isInside, writeProblems } from './backup-folder.mjs';

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
  const THIRD = '2026-02-03T00-00-00Z';
  const nameOf = (/** @type {string} */ manifest) => manifest.split('/')[0] ?? '';
  /** @param {string} folder @param {Partial<Parameters<typeof deleteOldBackups>[0]>} [options] */
  const deleteOld = (folder, options) =>
    deleteOldBackups({ folder, keep: 2, created: join(folder, THIRD), isOwn: () => true, ...options });

  it('keeps the newest backups, and everything that is no finished backup', () => {
    const folder = makeFolder(OLD, NEW, `${THIRD}/manifest.json`, INTERRUPTED);
    expect(deleteOld(folder)).toEqual([join(folder, nameOf(OLD))]);
    expect(readdirSync(folder)).toEqual([nameOf(NEW), THIRD, '2026-03-02T03-04-05Z.unfinished']);
    expect(deleteOld(folder)).toEqual([]);
  });

  it('does not count a backup with problems, and deletes it with the good ones that are older than those kept', () => {
    const folder = makeFolder(OLD, NEW, `${THIRD}/manifest.json`);
    writeProblems(join(folder, nameOf(NEW)), ['An object is missing.']);
    expect(deleteOld(folder)).toEqual([]);
    expect(deleteOld(folder, { keep: 1 })).toEqual([OLD, NEW].map((name) => join(folder, nameOf(name))));
  });

  it('does not see backups of another installation', () => {
    const folder = makeFolder(OLD, NEW, `${THIRD}/manifest.json`);
    expect(deleteOld(folder, { keep: 1, isOwn: (path) => !path.endsWith(nameOf(NEW)) })).toEqual([
      join(folder, nameOf(OLD)),
    ]);
    expect(readdirSync(folder)).toEqual([nameOf(NEW), THIRD]);
  });

  it('deletes nothing if a clock was wrong', () => {
    const folder = makeFolder(OLD, NEW, `${THIRD}/manifest.json`);
    expect(() => deleteOld(folder, { created: join(folder, nameOf(NEW)) })).toThrow('Nothing was deleted');
    expect(readdirSync(folder)).toHaveLength(3);
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
