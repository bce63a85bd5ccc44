import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { measureFolder } from '../limits/measure-folder.js';
import { wipeFolder } from './wipe-folder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-wipe-'));
});
afterEach(async () => {
  await wipeFolder(folder);
  rmdirSync(folder);
});

const NO_LIMIT = { bytes: Infinity, entries: Infinity };
const LONG_NAME = `a${'😀'.repeat(40)}`;

describe('a folder that is wiped', () => {
  it('is left to another thread if it contains more than 2,000 entries, and emptied on this one otherwise', async () => {
    const calls: unknown[] = [];
    const wipe = (retained: string[] = []) =>
      wipeFolder(folder, retained, undefined, async (...args) => {
        calls.push(args);
        return wipeFolder(...args);
      });
    const fill = (files: number) => {
      mkdirSync(join(folder, 'many'));
      for (let at = 0; at < files; at++) writeFileSync(join(folder, 'many', String(at)), '');
    };
    fill(1_999);
    await wipe();
    expect([readdirSync(folder), calls]).toEqual([[], []]);
    fill(2_000);
    mkdirSync(join(folder, 'in'));
    expect(await wipe(['in'])).toEqual(['in']);
    expect([readdirSync(folder), calls]).toEqual([['in'], [[folder, ['in']]]]);
  });

  it('may contain paths several times longer than the maximum of the system', async () => {
    makeDeepFolder(folder, 60, LONG_NAME);
    await wipeFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('may contain several such paths', async () => {
    for (const side of ['x', 'y']) {
      mkdirSync(join(folder, side));
      makeDeepFolder(join(folder, side), 40, LONG_NAME);
    }
    await wipeFolder(folder, ['y']);
    expect(readdirSync(folder)).toEqual(['y']);
    await wipeFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('retains the named folders, and loses folders without permissions and names that are not UTF-8', async () => {
    for (const name of ['in', 'locked']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'locked/file'), '');
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), '');
    chmodSync(join(folder, 'locked'), 0);
    await wipeFolder(folder, ['in']);
    expect(readdirSync(folder)).toEqual(['in']);
  });
});

describe('measureFolder', () => {
  it('counts entries that are too deep for a path', async () => {
    makeDeepFolder(folder, 60, LONG_NAME);
    expect((await measureFolder(folder, NO_LIMIT)).entries).toBe(61);
  });

  it('exceeds every limit if folders are nested without end', async () => {
    makeDeepFolder(folder, 250, LONG_NAME);
    expect((await measureFolder(folder, { bytes: 1e12, entries: 1e6 })).entries).toBeGreaterThan(1e6);
  });
});

const SCRIPT = 'cd "$1"; for i in $(seq "$2"); do mkdir "$3" && cd "$3" || exit 1; done; echo hi > f';

/** Makes `levels` folders of one name in each other, and a file in the last: further down than a path can name. */
function makeDeepFolder(folder: string, levels: number, name: string): void {
  execFileSync('bash', ['-c', SCRIPT, 'bash', folder, String(levels), name]);
}
