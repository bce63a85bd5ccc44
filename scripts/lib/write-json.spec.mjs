import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readJson, writeJson } from './write-json.mjs';

const folder = mkdtempSync(join(tmpdir(), 'write-json-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('writeJson', () => {
  it('writes a file that readJson reads and only the owner can access, and leaves no draft', () => {
    const file = join(folder, 'a.json');
    writeJson(file, { x: 1 });
    writeJson(file, { x: 2 });
    expect(readJson(file)).toEqual({ x: 2 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});

describe('readJson', () => {
  it('returns undefined for a missing or broken file', () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{"x":');
    expect(readJson(file)).toBeUndefined();
    expect(readJson(join(folder, 'nowhere.json'))).toBeUndefined();
  });
});
