import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../scripts/lib/layout.mjs';
import { packWorker } from './pack-worker.mjs';

/** @type {string} */
let folder;
/** @type {string[]} */
let files;
/** @type {{ dependencies: Record<string, string>, bundleDependencies: string[], bin: object }} */
let manifest;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pack-worker-'));
  const archive = packWorker(ROOT, folder);
  const tar = (/** @type {string[]} */ ...args) => execFileSync('tar', args, { encoding: 'utf8' });
  files = tar('tzf', archive).trim().split('\n');
  manifest = JSON.parse(tar('xzOf', archive, 'package/package.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package of the worker', () => {
  it('has the command, the threads, the runner of steps and the programs of their pods', () => {
    expect(manifest.bin).toEqual({ 'millrace-worker': 'bin/millrace-worker.mjs' });
    const libraries = 'package/node_modules/@millrace';
    expect(files).toEqual(
      expect.arrayContaining([
        ...['package/bin/millrace-worker.mjs', 'package/dist/join/main.js', 'package/dist/bulk/bulk.thread.js'],
        ...[`${libraries}/containers/pod/run-step.sh`, `${libraries}/containers/pod/follow-logs.pl`],
        ...[`${libraries}/isolation/runner.pl`, `${libraries}/messaging/dist/broker/heartbeat.thread.js`],
      ]),
    );
  });

  it('has no source and no test, and contains all libraries of Millrace', () => {
    expect(files.filter((path) => /\/src\/|\.spec\.|\.ts$/.test(path))).toEqual([]);
    const own = Object.keys(manifest.dependencies).filter((name) => name.startsWith('@millrace/'));
    expect(manifest.bundleDependencies.toSorted()).toEqual(own.toSorted());
  });

  it('has one version of each other dependency', () => {
    const others = Object.entries(manifest.dependencies).filter(([name]) => !name.startsWith('@millrace/'));
    expect(others.filter(([, version]) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
    expect(others.length).toBeGreaterThan(10);
  });
});
