import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { FileRef } from '@millrace/contracts/runs/files';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { countItems } from './count-items.js';

let folder: string;
let store: DiskStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'count-'));
  store = new DiskStore(folder);
});
afterAll(() => rm(folder, { recursive: true }));

async function put(content: string): Promise<FileRef> {
  const { sha256, size } = await store.put(Buffer.from(content));
  return { path: 'list.txt', sha256, size };
}

type Rule = { mode: 'line' | 'batch' | 'file'; splits?: number };

function count(rule: Rule, inputs: Record<string, InputValue>): Promise<number | null> {
  const drawing = draw().primitive('f-1', 'FILE', null).primitive('f-2', 'FILE', null);
  const distribution = { input: 'file', ...rule };
  const { data } = {
    data: drawing.script('a-1', {}, { distribution }).wire('f-1', 'a-1.file').wire('f-2', 'a-1.file'),
  };
  const plan = compilePlan(data.data(), {});
  return countItems(plan, plan.scopes[0]!, inputs, store);
}

describe('the number of items of a distribution', () => {
  it('is that of the lines of all its files, without empty ones', async () => {
    const inputs = { 'f-1': await put('a\n\nb'), 'f-2': await put('c\r\n\r\nd\n') };
    expect(await count({ mode: 'line' }, inputs)).toBe(4);
    expect(await count({ mode: 'batch', splits: 3 }, inputs)).toBe(3);
    expect(await count({ mode: 'batch', splits: 100 }, inputs)).toBe(6);
    expect(await count({ mode: 'file' }, inputs)).toBe(2);
  });

  it('counts the files of a folder', async () => {
    const files = [await put('1'), await put('2'), await put('3')];
    expect(await count({ mode: 'file' }, { 'f-1': { folder: { files } }, 'f-2': await put('x') })).toBe(4);
    const long = { folder: { manifest: 'a'.repeat(64), count: 500 } };
    expect(await count({ mode: 'file' }, { 'f-1': long, 'f-2': await put('x') })).toBeNull();
  });

  it('is not known for a URL, a missing value, a missing content, or a file that is too large', async () => {
    const known = await put('a\n');
    for (const other of ['https://example.org/a', { ...known, sha256: 'f'.repeat(64) }, { ...known, size: 2 ** 40 }]) {
      expect(await count({ mode: 'line' }, { 'f-1': known, 'f-2': other })).toBeNull();
    }
    expect(await count({ mode: 'line' }, { 'f-1': known })).toBeNull();
  });

  it('is 0 for an empty file', async () => {
    expect(await count({ mode: 'line' }, { 'f-1': await put(''), 'f-2': await put('\n\n') })).toBe(0);
  });
});
