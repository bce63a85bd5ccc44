import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ensureMasterKeys } from './ensure-master-keys.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ensure-master-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('ensureMasterKeys', () => {
  it('creates a key of 32 bytes once, readable by the owner only', () => {
    const file = join(folder, 'a.json');
    ensureMasterKeys(file);
    const text = readFileSync(file, 'utf8');
    const { keys } = JSON.parse(text);
    expect(keys.map((/** @type {{ key: string }} */ { key }) => Buffer.from(key, 'base64url').length)).toEqual([32]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    ensureMasterKeys(file);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('never replaces a file, not even a damaged one', () => {
    const file = join(folder, 'b.json');
    writeFileSync(file, '{"keys":');
    ensureMasterKeys(file);
    expect(readFileSync(file, 'utf8')).toBe('{"keys":');
  });
});
