import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isInstalled, lockStamp, packagePaths, stampFile } from './detect-install.mjs';

const LOCK = {
  '': {},
  'libs/graph': { version: '0.1.0' },
  'node_modules/@millrace/graph': { resolved: 'libs/graph', link: true },
  'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' },
  'node_modules/elsewhere': { version: '1.0.0', integrity: 'sha512-b', optional: true, os: ['none-such'] },
};

/** @type {string} */
let root;
const write = (/** @type {string} */ path, /** @type {object} */ packages) =>
  writeFileSync(join(root, path), JSON.stringify({ packages }));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'detect-install-'));
  mkdirSync(join(root, 'node_modules'));
  write('package-lock.json', LOCK);
});
afterEach(() => rmSync(root, { recursive: true }));

describe('isInstalled', () => {
  it('is false in a bare clone', () => {
    expect(isInstalled(root)).toBe(false);
  });

  it('is true after a manual installation of the locked packages', () => {
    write('node_modules/.package-lock.json', { 'node_modules/zod': LOCK['node_modules/zod'] });
    expect(isInstalled(root)).toBe(true);
  });

  it.each([
    ['another version', { version: '4.0.1', integrity: 'sha512-a' }],
    ['other content', { version: '4.0.0', integrity: 'sha512-c' }],
  ])('is false if a package has %s', (_, zod) => {
    write('node_modules/.package-lock.json', { 'node_modules/zod': zod });
    expect(isInstalled(root)).toBe(false);
  });

  it('is false after the lock file has changed', () => {
    writeFileSync(stampFile(root), lockStamp(root));
    expect(isInstalled(root)).toBe(true);
    write('package-lock.json', { ...LOCK, 'node_modules/new': { version: '1.0.0' } });
    expect(isInstalled(root)).toBe(false);
  });
});

describe('packagePaths', () => {
  it('returns the packages of this platform, without workspaces and links', () => {
    expect(packagePaths(LOCK)).toEqual(['node_modules/zod']);
  });
});
