import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeFailure } from '../describe-failure.js';
import { writeAtomically } from './write-atomically.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'millrace-write-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string) => Buffer.from(text);

describe('a file that is written atomically', () => {
  it('has its name only when its content is complete', async () => {
    const file = join(folder, 'below', 'a.txt');
    const seen: string[][] = [];
    await writeAtomically(
      file,
      (async function* () {
        yield bytes('one ');
        // The file is opened in the background.
        for (let waited = 0; waited < 5_000 && readdirSync(join(folder, 'below')).length === 0; waited += 5)
          await sleep(5);
        seen.push(readdirSync(join(folder, 'below')));
        yield bytes('two');
      })(),
    );
    expect(seen[0]).toEqual([expect.stringMatching(/^\.a\.txt\..*\.part$/)]);
    expect(readdirSync(join(folder, 'below'))).toEqual(['a.txt']);
    expect(readFileSync(file, 'utf8')).toBe('one two');
  });

  it('keeps its earlier content, and leaves nothing else, if the content fails', async () => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'earlier');
    const failing = (async function* () {
      yield bytes('half');
      await Promise.resolve();
      throw new Error('lost');
    })();
    await expect(writeAtomically(file, failing)).rejects.toThrow('lost');
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(readFileSync(file, 'utf8')).toBe('earlier');
  });

  it('keeps its permissions, and stays the target of a link', async () => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'earlier');
    chmodSync(file, 0o600);
    symlinkSync('a.txt', join(folder, 'link'));
    await writeAtomically(join(folder, 'link'), 'later');
    expect(readFileSync(file, 'utf8')).toBe('later');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.txt', 'link']);
  });

  it('can be a device, which is written and not replaced', async () => {
    await writeAtomically('/dev/null', 'gone');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('is described by its own name if the disk is full, or if it is a folder', async () => {
    const full = await writeAtomically('/dev/full', 'text').catch((error: unknown) => error);
    expect(describeFailure(full)).toBe('Cannot write /dev/full: the disk is full.');
    const isFolder = await writeAtomically(folder, 'text').catch((error: unknown) => error);
    expect(describeFailure(isFolder)).toBe(`Cannot open ${folder}: it is a folder.`);
    writeFileSync(join(folder, 'file'), '');
    const below = await writeAtomically(join(folder, 'file', 'a.txt'), 'text').catch((error: unknown) => error);
    expect(describeFailure(below)).toMatch(/^Cannot create the folder .*file: /);
  });
});
