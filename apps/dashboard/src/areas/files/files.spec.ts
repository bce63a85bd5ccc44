import { describe, expect, it } from '@jest/globals';
import { describeDeletion } from './describe-deletion.js';
import { listSteps, parentOf, relativeTo } from './folder-path.js';
import { readFilesSearch } from './search.js';
import { commonFolder, findReplaced } from './upload/find-replaced.js';

describe('readFilesSearch', () => {
  it('keeps known fields and drops defaults, empty and unknown values', () => {
    expect(readFilesSearch({ folder: '/a/b/', q: 'x', sort: '-size', file: '7', view: 'hex', other: '1' })).toEqual({
      folder: 'a/b',
      q: 'x',
      sort: '-size',
      file: '7',
      view: 'hex',
    });
    expect(readFilesSearch({ folder: '', q: '', sort: 'path', file: '', view: 'nothing' })).toEqual({});
    expect(readFilesSearch({ sort: 'name' })).toEqual({});
  });
});

describe('folder paths', () => {
  it('lists the folders down to a path', () => {
    expect(listSteps('')).toEqual([]);
    expect(listSteps('a/b c')).toEqual([
      { name: 'a', path: 'a' },
      { name: 'b c', path: 'a/b c' },
    ]);
  });

  it('finds the parent', () => {
    expect(parentOf('a/b/c')).toBe('a/b');
    expect(parentOf('a')).toBe('');
  });

  it('shortens paths below a folder only', () => {
    expect(relativeTo('a', 'a/b/c')).toBe('b/c');
    expect(relativeTo('a', 'ab/c')).toBe('ab/c');
    expect(relativeTo('', 'a')).toBe('a');
  });
});

describe('findReplaced', () => {
  const stored = ['scan/a.txt', 'scan/raw/é.json', 'other.txt'];
  /** A storage that lists a file, or a folder with everything below it. */
  const list = (requested: string[]) => (path: string) => {
    requested.push(path);
    const isBelow = (file: string) => path === '' || file === path || file.startsWith(`${path}/`);
    return Promise.resolve({ results: stored.filter(isBelow).map((file) => ({ path: file })) });
  };

  it('looks up each of a few files, whatever form their Unicode has', async () => {
    const requested: string[] = [];
    expect(await findReplaced(['scan/a.txt', 'scan/b.txt', 'scan/raw/é.json'], list(requested))).toEqual({
      paths: ['scan/a.txt', 'scan/raw/é.json'],
      isComplete: true,
    });
    expect(requested).toHaveLength(3);
  });

  it('looks at the common folder of many files', async () => {
    const requested: string[] = [];
    const paths = Array.from({ length: 50 }, (_, at) => `scan/raw/${at}.txt`);
    const replaced = await findReplaced([...paths, 'scan/a.txt'], list(requested));
    expect(replaced).toEqual({ paths: ['scan/a.txt'], isComplete: true });
    expect(requested).toEqual(['scan']);
  });

  it('reads all pages of the common folder, and reports if they are too many', async () => {
    const paths = Array.from({ length: 50 }, (_, at) => `a/${at}.txt`);
    const listPages = (pages: number) => (_: string, page: number) =>
      Promise.resolve({ results: [{ path: `a/${page}.txt` }], next: page < pages ? 'more' : null });
    expect(await findReplaced(paths, listPages(2))).toEqual({ paths: ['a/1.txt', 'a/2.txt'], isComplete: true });
    expect(await findReplaced(paths, listPages(20))).toMatchObject({ isComplete: true });
    expect(await findReplaced(paths, listPages(21))).toMatchObject({ isComplete: false });
  });

  it('the common folder of paths contains all of them', () => {
    expect(commonFolder(['a/b/c', 'a/b/d/e'])).toBe('a/b');
    expect(commonFolder(['a/b', 'ab/c'])).toBe('');
    expect(commonFolder(['a', 'b/c'])).toBe('');
    expect(commonFolder(['a/b/c'])).toBe('a/b');
  });
});

describe('describeDeletion', () => {
  const file = {
    id: '1',
    path: 'a/b.txt',
    name: 'b.txt',
    size: 2_000,
    sha256: '',
    created_date: '',
    modified_date: '',
  };
  const folder = { id: '2', path: 'a', name: 'a', created_date: '' };

  it('names what is deleted with its size, and lets folders be confirmed', () => {
    expect(describeDeletion([{ kind: 'file', entry: file }]).title).toBe('Delete the file “b.txt”?');
    expect(describeDeletion([{ kind: 'folder', entry: folder }]).typedName).toBe('a');
    const files = describeDeletion([
      { kind: 'file', entry: file },
      { kind: 'file', entry: { ...file, id: '3' } },
    ]);
    expect(files.title).toBe('Delete 2 files?');
    expect(files.description).toMatch(/^The files have 4.0 kB\./);
    expect(files.typedName).toBeUndefined();
    const both = describeDeletion([
      { kind: 'folder', entry: folder },
      { kind: 'file', entry: file },
    ]);
    expect(both).toMatchObject({ title: 'Delete 1 folder and 1 file?', typedName: 'delete' });
  });
});
