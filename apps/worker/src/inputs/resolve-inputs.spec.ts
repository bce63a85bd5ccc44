import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type Plan, type StepInput } from '@millrace/graph/plan/plan';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { script } from '../testing/start-worker.js';
import { NO_VARIABLES } from '../variables/run-variables.js';
import { InputList } from './input-list.js';
import { resolveInputs } from './resolve-inputs.js';
import { TaskFiles } from './task-files.js';

let folder: string;
beforeEach(() => void (folder = fs.mkdtempSync(join(tmpdir(), 'millrace-inputs-'))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const plan: Plan = { format: 1, steps: [], segments: [], scopes: [], primitives: {}, outputs: [], widest: null };
const fromStep = (param: string, type: 'FILE' | 'FOLDER'): StepInput => {
  const binding = { from: 'step' as const, step: 0, port: 'folder' as const, gather: false };
  return { param, source: 's0', type, order: 0, command: null, binding };
};

it('resolveInputs returns values, environment and a list of files, and writes nothing', async () => {
  const store = new DiskStore(folder);
  const files: FileRef[] = ['a/b.txt', 'c.txt'].map((path) => ({ path, sha256: 'e'.repeat(64), size: 3 }));
  const inputs = [
    fromStep('all', 'FOLDER'),
    fromStep('again', 'FOLDER'),
    { ...fromStep('text', 'FOLDER'), source: null, type: 'STRING' as const, binding: { from: 'value', value: 'x' } },
  ] as StepInput[];
  const step = script(1, 'true', { inputs, environment: { MODE: 'fast' } });
  const task = { index: 0, attempt: 1, files: { 0: { files } }, recorded: [] };
  const before = fs.readdirSync(folder, { recursive: true });
  const resolved = await resolveInputs(step, {
    plan,
    items: null,
    store,
    variables: NO_VARIABLES,
    files: new TaskFiles({ inputs: {}, shared: {} }, task, store),
  });
  expect({ ...resolved, entries: [...resolved.entries] }).toEqual({
    values: { 'all/s0': 'in/s0', 'again/s0': 'in/s0', text: 'x' },
    written: { text: { text: 'x' } },
    environment: { MODE: 'fast' },
    entries: [
      { kind: 'folder', path: 's0' },
      { kind: 'file', path: 's0/a/b.txt', file: files[0] },
      { kind: 'file', path: 's0/c.txt', file: files[1] },
    ],
  });
  expect(fs.readdirSync(folder, { recursive: true })).toEqual(before);
});

it.each(['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', './a', 'a/.', 'a\0b'])(
  'the path %j is refused below in/',
  (path) => {
    expect(() => new InputList().add({ kind: 'folder', path })).toThrow('a file cannot be an input under the name');
  },
);

it.each(['a', '...', '.a', 'a..b/..c', 'a b/ä'])('the path %j is accepted below in/', (path) => {
  expect(() => new InputList().add({ kind: 'folder', path })).not.toThrow();
});
