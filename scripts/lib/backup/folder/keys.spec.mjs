import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { addKeys, describeKeys, readInstallationKeys, readKeys, selectKeys } from './keys.mjs';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = (/** @type {string} */ id) => ({ id, key: `key ${id}` });
const KEYS = { secret: 'a secret of the installation', masterKeys: [key('b'), key('a')] };

describe('the description of keys in a manifest', () => {
  it('does not contain them, and accepts only the keys of the backup', () => {
    const described = describeKeys(KEYS, false);
    expect(JSON.stringify(described)).not.toContain('key a');
    expect(JSON.stringify(described)).not.toContain(KEYS.secret);
    expect(selectKeys(KEYS, described, 'x')).toEqual(KEYS);
    expect(() => selectKeys({ ...KEYS, secret: 'another' }, described, 'keys.json')).toThrow('another MILLRACE_SECRET');
    expect(() => selectKeys({ ...KEYS, masterKeys: [key('b')] }, described, 'keys.json')).toThrow('master key a');
  });

  it('selects the master keys of the backup from a file that has others too', () => {
    const described = describeKeys(KEYS, false);
    const all = { ...KEYS, masterKeys: [key('c'), ...KEYS.masterKeys, key('old')] };
    expect(selectKeys(all, described, 'x')).toEqual(KEYS);
  });
});

describe('a file of keys', () => {
  const file = join(folder, 'keys.json');

  it('keeps the master keys that older backups need, and only its owner may read it', () => {
    addKeys(file, KEYS);
    addKeys(file, { ...KEYS, masterKeys: [key('c')] });
    expect(readKeys(file)).toEqual({ ...KEYS, masterKeys: [key('c'), key('b'), key('a')] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('of another installation stays unchanged', () => {
    const before = readFileSync(file, 'utf8');
    expect(() => addKeys(file, { ...KEYS, secret: 'another' })).toThrow('another installation');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('with other content is refused', () => {
    writeFileSync(join(folder, 'other.json'), '{}');
    expect(() => readKeys(join(folder, 'other.json'))).toThrow('not a file of keys');
    expect(() => readInstallationKeys({ secret: 's', keyFile: join(folder, 'other.json') })).toThrow('damaged');
  });
});
