import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fingerprintTree } from './fingerprint-tree.mjs';

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fingerprint-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'a.ts'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('fingerprintTree', () => {
  it('changes when a file is edited, added or removed', () => {
    const seen = [fingerprintTree([folder])];
    writeFileSync(join(folder, 'src', 'a.ts'), 'longer');
    seen.push(fingerprintTree([folder]));
    writeFileSync(join(folder, 'src', 'b.ts'), '');
    seen.push(fingerprintTree([folder]));
    rmSync(join(folder, 'src', 'a.ts'));
    seen.push(fingerprintTree([folder]));
    expect(new Set(seen).size).toBe(4);
  });

  it('ignores skipped and missing paths', () => {
    const before = fingerprintTree([folder], (name) => name === 'dist');
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'a.js'), '');
    expect(fingerprintTree([folder, join(folder, 'none')], (name) => name === 'dist')).toBe(before);
  });
});
