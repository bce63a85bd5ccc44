import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExecutorUnavailableError } from '../container-executor.js';
import { loadConfig } from './load-config.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-kubeconfig-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const VALID = {
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:6443' } }],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'a' } }],
  'current-context': 'x',
};

describe('loadConfig', () => {
  it('takes the namespace of the file, unless a setting names another', () => {
    const file = write('valid', VALID);
    const read = (namespace?: string) => {
      const config = loadConfig(file, namespace);
      return [config.getContextObject('x')?.namespace, config.getCurrentCluster()?.server];
    };
    expect(read()).toEqual(['a', 'https://127.0.0.1:6443']);
    expect(read('b')).toEqual(['b', 'https://127.0.0.1:6443']);
  });

  it.each([
    ['a file that does not exist', () => join(folder, 'nothing'), /cannot be read: ENOENT/],
    ['a file that is not YAML', () => write('broken', '{'), /cannot be read/],
    ['a file without a context', () => write('empty', { ...VALID, 'current-context': 'y' }), /has no current context/],
    ['no file outside of a pod', () => undefined, /set KUBECONFIG, or run the worker in a pod/],
  ])('refuses %s', (_title, path, message) => {
    expect(() => loadConfig(path(), undefined)).toThrow(ExecutorUnavailableError);
    expect(() => loadConfig(path(), undefined)).toThrow(message);
  });
});
