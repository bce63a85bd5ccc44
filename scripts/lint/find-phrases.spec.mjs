import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { findPhrases } from './find-phrases.mjs';

const folder = mkdtempSync(join(tmpdir(), 'find-phrases-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {string} text */
const find = (name, text) => {
  writeFileSync(join(folder, name), text);
  return findPhrases(folder, name);
};

describe('an unclear phrase', () => {
  it.each([
    ['page.md', 'Text.\n\nThe engine hands\nout tasks.\n', 3],
    ['page.md', '> It hands\n> out tasks.\n', 1],
    ['schema.prisma', 'model A {\n  /// The engine hands\n  /// out tasks.\n  id Int\n}\n', 2],
    ['schema.prisma', 'model A {\n  id Int // hands out tasks\n}\n', 2],
    ['runner.pl', 'my $x = 1;\n# It hands\n# out tasks.\n', 2],
    ['module.yaml', 'name: x # hands out tasks\n', 1],
  ])('in %s is reported with its line: %j', (name, text, line) => {
    expect(find(name, text)).toEqual([`${name}:${line}: instead of "hands out" write dispatch`]);
  });

  it.each(['any longer', 'Relaying waits', 'hears of'])('such as "%s" is reported', (phrase) => {
    expect(find('page.md', `It says: ${phrase} it.`)).toHaveLength(1);
  });

  it.each([
    ['page.md', 'What the worker hands\n\nout of the box'],
    ['runner.pl', 'my $text = "hands out";\n'],
    ['schema.prisma', '// hands\n  id Int\n// out\n'],
  ])('is not reported in %s across paragraphs and in code: %j', (name, text) => {
    expect(find(name, text)).toEqual([]);
  });
});
