import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidPathError, MAX_PATH_LENGTH, normalizePath } from './normalize-path.js';

describe('normalizePath', () => {
  it.each([
    'a',
    'a/b.txt',
    ' spaces and ünïcödé/…',
    '..a/b..',
    'a\\b',
    '-rf',
    '日本/語',
    '😀',
    '👩\u200d💻',
    'می\u200cخواهم',
    'a.',
    'a ',
    '...',
    '~',
  ])('accepts %j unmodified', (path) => {
    expect(normalizePath(path)).toBe(path.normalize('NFC'));
  });

  it('composes accented letters to one form', () => {
    expect(normalizePath('e\u0301')).toBe(normalizePath('\u00e9'));
  });

  it.each([
    ['', 'empty'],
    ['/a', 'relative'],
    ['a/', 'empty segments'],
    ['a//b', 'empty segments'],
    ['..', '".."'],
    ['a/../b', '".."'],
    ['./a', '"."'],
    ['a\0b', 'NUL'],
    ['a\nb', 'control'],
    ['a\u001b[2Jb', 'control'],
    ['a\u0085b', 'control'],
    ['a\u2028b', 'control'],
    ['photo\u202egpj.exe', 'direction'],
    ['a\u2066b', 'direction'],
    ['a\ud800b', 'Unicode'],
    ['a\ufffdb', 'UTF-8'],
    ['a\u200bb', 'invisible'],
    ['a\u00adb', 'invisible'],
    ['\ufeffa', 'invisible'],
    ['a\u{e0041}b', 'invisible'],
    ['x'.repeat(256), '255 bytes'],
    [`${'ä'.repeat(128)}/a`, '255 bytes'],
    ['x/'.repeat(MAX_PATH_LENGTH / 2) + 'x', `${MAX_PATH_LENGTH} characters`],
    // Composed it is longer: U+0958 is excluded from composition and becomes two characters of three bytes each.
    ['\u0958'.repeat(50), '255 bytes'],
  ])('rejects %j: %s', (path, reason) => {
    expect(() => normalizePath(path)).toThrow(InvalidPathError);
    expect(() => normalizePath(path)).toThrow(reason);
  });
});

/** Parts that attackers use, and random ones, combined in every way. */
const part = fc.oneof(
  fc.constantFrom('..', '.', '', '...', '%2e%2e', '%2E.', '..\\', '\\..\\', '..%2f', '\0', '..\0', '~', 'C:', 'con'),
  fc.constantFrom('․․', '‥', '．．', '\u202e..', '..\u200d', ' ..', '.. ', '..;', '\u0301..', '-', '*', '$(id)'),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 90 }),
  fc.string({ minLength: 1, maxLength: 300 }),
);
const paths = fc
  .tuple(fc.constantFrom('', '', '/', '//', '\\', './'), fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean())
  .map(([start, parts, slash]) => `${start}${parts.join('/')}${slash ? '' : '/'}`.replace(/\/$/, slash ? '$&' : ''));

const tryNormalize = (path: string): string | null => {
  try {
    return normalizePath(path);
  } catch (error) {
    if (error instanceof InvalidPathError) return null;
    throw error;
  }
};

describe('an accepted path', () => {
  let root: string;
  beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'millrace-path-'))));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('stays below its folder, in one form', () => {
    fc.assert(
      fc.property(paths, (input) => {
        const path = tryNormalize(input);
        if (path === null) return;
        expect(normalizePath(path)).toBe(path);
        expect(posix.normalize(path)).toBe(path);
        expect(posix.isAbsolute(path)).toBe(false);
        expect(path).not.toMatch(/(^|\/)\.{1,2}(\/|$)|[\p{Control}\p{Bidi_Control}\p{Surrogate}]/u);
        expect(normalizePath(input.normalize('NFD'))).toBe(path);
      }),
      { numRuns: 3_000 },
    );
  });

  it('can be created on a disk at exactly that place', () => {
    let tries = 0;
    fc.assert(
      fc.property(paths, (input) => {
        const path = tryNormalize(input);
        if (path === null) return;
        const top = join(root, String(++tries), 'in');
        mkdirSync(dirname(join(top, path)), { recursive: true });
        writeFileSync(join(top, path), input.slice(0, 5));
        const all = readdirSync(dirname(top), { recursive: true, withFileTypes: true });
        const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
        expect(files.map((file) => relative(top, file))).toEqual([path]);
        expect(existsSync(join(top, path))).toBe(true);
        rmSync(dirname(top), { recursive: true });
      }),
      { numRuns: 400 },
    );
    expect(tries).toBeGreaterThan(50);
    expect(readdirSync(root)).toEqual([]);
  });

  it('differs from a path that differs in case or look-alike letters only', () => {
    const [lower, upper, cyrillic] = ['data/paper', 'data/Paper', 'data/p\u0430per'].map((name) => normalizePath(name));
    const names = [lower, upper, cyrillic].map((name) => join(root, 'case', name ?? ''));
    mkdirSync(join(root, 'case/data'), { recursive: true });
    for (const name of names) writeFileSync(name, name);
    expect(names.map((name) => readFileSync(name, 'utf8'))).toEqual(names);
  });
});
