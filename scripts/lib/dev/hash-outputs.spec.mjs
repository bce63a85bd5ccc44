import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { changedOutputs, hashOutputs } from './hash-outputs.mjs';

const root = mkdtempSync(join(tmpdir(), 'hash-outputs-'));
afterAll(() => rmSync(root, { recursive: true }));

/** @param {string} folder @param {string} name */
function makePackage(folder, name) {
  mkdirSync(join(root, folder, 'dist', 'deep'), { recursive: true });
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ name, dependencies: {} }));
  writeFileSync(join(root, folder, 'dist', 'deep', 'main.js'), name);
}

describe('changedOutputs', () => {
  it('names the packages whose built content has changed, not those with only a new modification time', () => {
    makePackage('apps/runs', '@millrace/runs');
    makePackage('libs/graph', '@millrace/graph');
    const before = hashOutputs(root);
    utimesSync(join(root, 'libs/graph/dist/deep/main.js'), 1, 1);
    expect(changedOutputs(before, hashOutputs(root))).toEqual([]);
    writeFileSync(join(root, 'libs/graph/dist/deep/main.js'), 'other');
    expect(changedOutputs(before, hashOutputs(root))).toEqual(['@millrace/graph']);
  });
});
